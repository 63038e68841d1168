// The cards of players: a link with a version and a secret behind the `#`, where no server and no log sees it.
import { credentials } from "./access";
import { refusalText, t } from "./text";

/** Version 1 of this node: 128 bits. Version 1 of a league: id, day, name and signature. */
const CARD = /^(1\.[A-Za-z0-9_-]{22}|oche-card-1:[A-Za-z0-9_-]{100,500})$/;
const NO_CARD = 404;
const SEATED = "oche.card.player";
const OPENED = "oche.card.opened";

/** The card in what was read: a card's link, of whatever node, or the card alone. */
export function cardIn(text: string): string | undefined {
  const card = text.trim().split("#").at(-1) ?? "";
  return CARD.test(card) ? card : undefined;
}

export function cardLink(card: string, origin: string): string {
  return `${origin}/card#${card}`;
}

interface Answer {
  player?: string;
  card?: string | boolean;
  league?: boolean;
  message?: string;
  reason?: string;
}

async function ask(path: string, options: RequestInit): Promise<{ value?: Answer; problem?: string }> {
  try {
    const answer = await fetch(path, { ...options, headers: credentials() });
    const value = (await answer.json()) as Answer;
    if (answer.ok) return { value };
    return { problem: answer.status === NO_CARD ? t("card.invalid") : refusalText(value) || String(answer.status) };
  } catch (error) {
    return { problem: String(error) };
  }
}

/** Whose card it is; `problem` says why that is not told. */
export async function playerOf(card: string): Promise<{ player?: string; problem?: string }> {
  const { value, problem } = await ask("/card", { method: "POST", body: JSON.stringify({ card }) });
  return { ...(value?.player !== undefined && { player: value.player }), ...(problem !== undefined && { problem }) };
}

const pathOf = (player: string) => `/players/${encodeURIComponent(player)}/card`;

/** Whether a player has a card of this node, and one of a league; undefined if that is not told. */
export async function hasCard(player: string): Promise<{ own: boolean; league: boolean } | undefined> {
  const { value } = await ask(pathOf(player), {});
  return value && { own: value.card === true, league: value.league === true };
}

/** Makes a card, in place of the one before. */
export async function makeCard(player: string): Promise<{ card?: string; problem?: string }> {
  const { value, problem } = await ask(pathOf(player), { method: "PUT", body: "{}" });
  return typeof value?.card === "string" ? { card: value.card } : { problem: problem ?? "" };
}

/** Revokes a player's card; returns why it could not. */
export async function revokeCard(player: string): Promise<string | undefined> {
  return (await ask(pathOf(player), { method: "DELETE" })).problem;
}

/** Where phones find this node: its own address, or the one of its pairing code if this page is on the machine itself. */
export async function originForPhones(): Promise<string> {
  if (!["localhost", "127.0.0.1", "[::1]"].includes(location.hostname)) return location.origin;
  try {
    const answer = await fetch("/pairing.json", { headers: credentials() });
    return new URL(((await answer.json()) as { url: string }).url).origin;
  } catch {
    return location.origin; // There is no pairing: phones do not get here either.
  }
}

/** The card of this page's address, which is taken out of it: an address is kept, shown and shared. */
export function openedCard(): string | undefined {
  const card = cardIn(location.hash);
  if (card !== undefined) {
    sessionStorage.setItem(OPENED, card); // A login can come first.
    history.replaceState(null, "", location.pathname);
  }
  return card ?? sessionStorage.getItem(OPENED) ?? undefined;
}

/** Keeps a player for the next form of a new match in this tab. */
export function seat(player: string): void {
  sessionStorage.removeItem(OPENED);
  sessionStorage.setItem(SEATED, player);
}

/** The player who was kept, once. */
export function takeSeated(): string | undefined {
  const player = sessionStorage.getItem(SEATED) ?? undefined;
  sessionStorage.removeItem(SEATED);
  return player;
}
