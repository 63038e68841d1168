// Shows the picture of a player at their first turn of a match, and plays their walk-on where sound is switched on.
import { useEffect, useState } from "preact/hooks";
import type { BoardClient } from "../board-client";
import type { MatchEvent } from "../match";
import type { People } from "./people";

const SHOWN_MS = 4000;

/** Calls back with each player whose first turn of the match begins, if the page has seen that match start. */
export function onWalkOn(client: Pick<BoardClient, "onEvent" | "match">, walks: (player: string) => void): () => void {
  let begun: unknown;
  let seen = new Set<unknown>();
  return client.onEvent(({ event, match, player: named }: MatchEvent) => {
    if (event === "started") {
      begun = match;
      seen = new Set();
    } else if (event !== "turn") return;
    // A page that joins later has not seen the first turns.
    if (begun === undefined || match !== begun) return;
    // `turn` follows a turn; the match itself says who begins.
    const player = event === "turn" ? named : client.match?.turn.player;
    if (typeof player !== "string" || seen.has(player)) return;
    seen.add(player);
    walks(player);
  });
}

/** The player whose first turn has just begun, for a while. Their files may be known a moment later. */
export function useWalkOn(client: BoardClient): string | undefined {
  const [player, setPlayer] = useState<string>();
  useEffect(() => onWalkOn(client, setPlayer), [client]);
  useEffect(() => {
    const timer = setTimeout(() => setPlayer(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [player]);
  return player;
}

export function WalkOn({ player, people }: { player: string | undefined; people: People }) {
  const picture = player === undefined ? undefined : people[player]?.picture;
  if (picture === undefined) return null;
  return (
    <div class="shown" key={player} role="status">
      <img src={picture} alt="" />
      <p>{player}</p>
    </div>
  );
}
