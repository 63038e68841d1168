// Who is where on a screen: with fixed sides, players stay where they were in the match before.
import type { Match } from "../match";
import { getStored, setStored } from "../storage";
import { venue } from "../venue";

/** The players in the order of the match before, if the same ones play again; else as the match has them. */
export function seated<P extends { name: string }>(players: P[], before: string[]): P[] {
  const again = before.length === players.length && players.every(({ name }) => before.includes(name));
  return again ? [...players].sort((a, b) => before.indexOf(a.name) - before.indexOf(b.name)) : players;
}

/** The match as this screen shows it. It remembers the places if the venue has fixed sides. */
export function onFixedSides<M extends Match>(match: M, board: string): M {
  if (!venue().fixed_sides) return match;
  const key = `oche.sides.${board}`;
  const players = seated(match.players, (getStored(key) ?? "").split("\n"));
  const places = players.map(({ name }) => name).join("\n");
  if (getStored(key) !== places) setStored(key, places);
  return { ...match, players };
}

/** The match with the players first who throw at this board, in one on several boards. */
export function ownFirst<M extends Match>(match: M, board: string): M {
  const away = match.players.filter((player) => player.board !== board);
  const players = [...match.players.filter((player) => player.board === board), ...away];
  return away.length === players.length ? match : { ...match, players };
}

/** Where the darts are thrown, or pulled, that the match waits for; undefined in a match on one board. */
export function boardOfTurn({ players, turn, finished }: Match): string | undefined {
  const name = turn.awaits === "next" ? turn.player : turn.actor;
  return finished ? undefined : players.find((player) => player.name === name)?.board;
}

/** Whether nothing has been thrown: the match begins with the next dart. False where the state does not tell. */
export function isUnthrown({ finished, turn, players, round, leg = 1 }: Match): boolean {
  const [first] = players;
  const visits = players.flatMap((player) => (player as { visits?: unknown[] }).visits ?? []);
  const tells = round !== undefined || players.some((player) => "visits" in player);
  const level = players.every(({ score }) => score === first?.score);
  const begins = (round ?? 1) === 1 && leg === 1 && turn.player === first?.name && turn.darts.length === 0;
  return !finished && turn.awaits === "throw" && tells && begins && level && visits.length === 0;
}
