// The address that a board's QR code opens: its control page.
import type { BoardClient } from "../board-client";

/** The address of this board's control page, through the login form if a code is needed. */
export function controlOf(client: BoardClient): string {
  if (!client.pairing) return `${location.origin}/board/${client.board}/control`;
  const form = new URL(client.pairing.url);
  form.searchParams.set("board", client.board);
  return form.href;
}

/** With localhost in the address, no phone can open it. */
export const local = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);

export function isOnlyLocal(client: BoardClient): boolean {
  return local && !client.pairing;
}
