// Which user a player is: the daemon knows people by user names.

/**
 * The user name that the daemon makes of a player's name; undefined where it takes a hash instead, which a page that
 * came over plain HTTP cannot compute.
 */
export function userOf(player: string): string | undefined {
  const plain = player.normalize("NFKD").toLowerCase().replace(/ß/g, "ss").replace(/\p{M}/gu, "");
  const name = plain
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 32)
    .replace(/^-+|-+$/g, "");
  return /^[a-z0-9-]+$/.test(name) && !/^\d+$/.test(name) ? name : undefined;
}
