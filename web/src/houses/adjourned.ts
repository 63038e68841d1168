// Whether a match of a board was adjourned: it is not over, and not on the board.
import { credentials } from "../access";

/** `running` is the match on the board. False if the daemon does not tell. */
export async function hasAdjourned(board: string, running: string | undefined): Promise<boolean> {
  try {
    const query = new URLSearchParams({ board, result: "going", limit: "2" });
    const answer = await fetch(`/history.json?${query}`, { headers: credentials() });
    return answer.ok && ((await answer.json()) as { id: string }[]).some(({ id }) => id !== running);
  } catch {
    return false;
  }
}
