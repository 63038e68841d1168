// The people who play here: those of the last matches, as the daemon knows them, and those of this phone.
import { credentials } from "../access";
import type { Seat } from "./seats";

/** How many names are offered. */
const OFFERED = 12;

interface Played {
  players: string[];
  bots?: Record<string, number>;
}

/** The people of these matches, those who played last first; no bots. */
export function peopleOf(matches: Played[]): string[] {
  const names = matches.flatMap(({ players, bots = {} }) => players.filter((name) => bots[name] === undefined));
  return [...new Set(names)].slice(0, OFFERED);
}

/** The people of the last matches on this node; none if the daemon does not tell. */
export async function knownPeople(): Promise<string[]> {
  try {
    const answer = await fetch("/history.json", { headers: credentials() });
    if (!answer.ok) return [];
    return peopleOf((await answer.json()) as Played[]);
  } catch {
    return [];
  }
}

/** The seats with one more person: in the first one that has no name, else in a new one if there is room. */
export function withPerson(seats: Seat[], name: string, most: number): Seat[] {
  const free = seats.findIndex((seat) => seat.name.trim() === "" && seat.bot === undefined);
  if (free >= 0) return seats.map((seat, i) => (i === free ? { name } : seat));
  return seats.length < most ? [...seats, { name }] : seats;
}

/** The seats in another order, each order as likely as any other. */
export function shuffled<T>(seats: readonly T[], random: () => number = Math.random): T[] {
  const order = [...seats];
  for (let last = order.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other] as T, order[last] as T];
  }
  return order;
}
