// Where the armies of Dart Wars face each other: what is next to what on the map. It says nothing about which move is legal.
import type { MapFace } from "../geometry";
import type { DartWars } from "./dart-wars-map";

/** A place with the enemies who have troops there. */
interface Held {
  zone: string;
  names: string[];
}

interface Reach {
  /** Countries without troops that nobody has visited. */
  free: string[];
  attacks: Held[];
}

export interface Threat {
  by: string;
  /** The places of the threatened player that the other can reach. */
  zones: string[];
}

/** The player who decides for this one: the master of a vassal, else they themselves. */
function headOf({ players }: DartWars, name: string): string {
  return players.find((player) => player.name === name)?.master ?? name;
}

/** Those with troops in a place who are not on the side of this player. */
export function enemiesIn(match: DartWars, zone: string, name: string): string[] {
  const side = headOf(match, name);
  return Object.entries(match.zones[zone] ?? {})
    .filter(([other, count]) => count > 0 && headOf(match, other) !== side)
    .map(([other]) => other);
}

function zonesOf({ zones }: DartWars, name: string): string[] {
  return Object.keys(zones).filter((zone) => (zones[zone]?.[name] ?? 0) > 0);
}

/** What lies next to the troops of the player whose turn it is. */
export function reachOf(match: DartWars, face: MapFace): Reach {
  const { player } = match.turn;
  const own = zonesOf(match, player);
  const near = [...new Set([...own, ...own.flatMap((zone) => face.places[zone]?.ways ?? [])])];
  const attacks = near
    .map((zone) => ({ zone, names: enemiesIn(match, zone, player) }))
    .filter(({ names }) => names.length > 0);
  const free = near.filter(
    (zone) => face.places[zone]?.land && !match.visited.includes(zone) && match.zones[zone] === undefined,
  );
  return { free, attacks };
}

/** Who has troops next to those of a player, and where. */
export function threatsTo(match: DartWars, face: MapFace, name: string): Threat[] {
  const side = headOf(match, name);
  return match.players
    .filter((other) => headOf(match, other.name) !== side)
    .map(({ name: by }) => ({
      by,
      zones: zonesOf(match, name).filter((zone) =>
        [zone, ...(face.places[zone]?.ways ?? [])].some((near) => (match.zones[near]?.[by] ?? 0) > 0),
      ),
    }))
    .filter(({ zones }) => zones.length > 0);
}

/** Whose homeland a combat is about: there the loser's troop is removed, elsewhere it joins the winner. */
export function homelandOf({ players, turn }: DartWars, zone: string, against: string): string | undefined {
  return players.find(({ name, homeland }) => homeland === zone && (name === turn.player || name === against))?.name;
}

/** The places that matter now: where troops are that can move, where they can go, and what is attacked. */
export function frontOf(match: DartWars, face: MapFace): string[] {
  const { turn } = match;
  switch (turn.phase) {
    case "throws": {
      const { free, attacks } = reachOf(match, face);
      return [...zonesOf(match, turn.player), ...free, ...attacks.map(({ zone }) => zone)];
    }
    case "moves":
      return turn.moves.flatMap(({ move }) => [
        move.from,
        ...(move.to ? [move.to] : (turn.targets[move.dart - 1] ?? [])),
      ]);
    default:
      return [];
  }
}
