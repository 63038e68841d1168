// The state of a Dart Wars match, and its map with the armies.
import { WorldMap } from "../board/worldmap";
import { type Geometry, type MapFace, mapFace } from "../geometry";
import type { Match, Player, Turn } from "../match";
import { t } from "../text";
import { Flag, Tokens } from "./armies";
import type { BoardProps } from "./scoreboard";

export interface Move {
  dart: number;
  from: string;
  to?: string;
  pass?: boolean;
}

export type Choice =
  | { choose: { zone: string } }
  | { combat: { zone: string; against?: string } }
  | { defend: { by: string } }
  | { first: string };

interface DartWarsTurn extends Turn {
  phase: "order" | "homelands" | "border" | "throws" | "moves" | "combats" | "defend" | "combat" | "over";
  ready: Record<string, number>;
  attacks: Record<string, number>;
  moves: { move: Move }[];
  /** Darts, from 1, that must attack. */
  owed: number[];
  /** Darts, from 1, that have moved a troop. */
  used: number[];
  /** The zones of each dart; none for a dart outside all zones. */
  targets: string[][];
  /** The legal actions other than moves. */
  choices: Choice[];
  combat?: {
    zone: string;
    attacker: string;
    against: string;
    defender?: string;
    first?: string;
    darts?: Record<string, string>;
  };
}

export interface DartWarsPlayer extends Player {
  homeland?: string;
  master?: string;
  bull?: string;
}

export interface DartWars extends Match {
  face: string;
  /** Troops of one colour that can be on the map. */
  supply: number;
  zones: Record<string, Record<string, number>>;
  visited: string[];
  turn: DartWarsTurn;
  players: DartWarsPlayer[];
}

/** The title of a zone. */
export function titleOf(geometry: Geometry, match: DartWars, zone: string): string {
  return mapFace(geometry, match.face)?.places[zone]?.title ?? zone;
}

/** The zone of a bed; undefined for the bulls and a miss. */
export function zoneOf(geometry: Geometry, match: DartWars, bed: string): string | undefined {
  const places = mapFace(geometry, match.face)?.places ?? {};
  return Object.keys(places).find((name) => places[name]?.beds.includes(bed));
}

interface MapProps extends BoardProps<DartWars> {
  /** The place that a troop leaves. */
  picked?: string | undefined;
}

export function MapOf({ match, geometry, darts, aimed, picked, window }: MapProps) {
  const face = mapFace(geometry, match.face);
  if (!face) return null;
  const { turn, visited, zones, players } = match;
  const thrown = new Set(turn.targets.flat());
  const starts = new Set(turn.moves.map(({ move }) => move.from));
  const active = players.findIndex(({ name }) => name === turn.player);
  const classOf = (place: string) =>
    [
      visited.includes(place) && "visited",
      thrown.has(place) && "thrown",
      (turn.attacks[place] || turn.combat?.zone === place) && "attacked",
      starts.has(place) && "start",
      place === picked && "picked",
    ]
      .filter(Boolean)
      .join(" ");
  return (
    <WorldMap
      geometry={geometry}
      face={face}
      darts={darts}
      aimed={aimed}
      window={window}
      classOf={classOf}
      label={inWords(match, face)}
    >
      {(atlas) => (
        <g class="pieces" aria-hidden="true">
          {players.map(
            ({ homeland }, seat) => homeland && <Flag key={seat} atlas={atlas} place={homeland} seat={seat} />,
          )}
          {Object.entries(zones).map(([place, here]) => (
            <Tokens
              key={place}
              atlas={atlas}
              place={place}
              troops={players.flatMap(({ name }, seat): [number, number][] => (here[name] ? [[seat, here[name]]] : []))}
              ready={turn.ready[place] ? { seat: active, count: turn.ready[place] } : undefined}
            />
          ))}
        </g>
      )}
    </WorldMap>
  );
}

/** A text alternative for the map: the armies in each place. */
function inWords({ zones }: DartWars, face: MapFace): string {
  const lines = Object.entries(zones).map(
    ([zone, troops]) =>
      `${face.places[zone]?.title ?? zone}: ${Object.entries(troops)
        .map(([name, count]) => `${name} ${count}`)
        .join(", ")}`,
  );
  return [t("wars.map"), ...lines].join(". ");
}
