// The address that a board's QR code opens: its control page.
import type { Table } from "../table";

/** The address of this board's control page, through the login form if a code is needed. */
export function controlOf(table: Table): string {
  if (!table.pairing) return `${location.origin}/board/${table.board}/control`;
  const form = new URL(table.pairing.url);
  form.searchParams.set("board", table.board);
  return form.href;
}
