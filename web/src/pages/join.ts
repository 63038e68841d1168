// Where a phone goes from a board: to its control.
import type { Table } from "../table";

/** The address of this board's control, by way of the form that takes the code where one is needed. */
export function controlOf(table: Table): string {
  if (!table.pairing) return `${location.origin}/board/${table.board}/control`;
  const form = new URL(table.pairing.url);
  form.searchParams.set("board", table.board);
  return form.href;
}
