// Dart Wars: the map with its armies, what each dart allows, the attacks that are owed, and the combats.
import { beside, place as bedPlace, type PlacedDart } from "../board/darts";
import { WorldMap } from "../board/worldmap";
import { bedAt, type Geometry, type MapFace, mapFace } from "../geometry";
import type { Match, Player, Turn } from "../match";
import { dartName, t } from "../text";
import { Flag, Sign, Tokens } from "./armies";
import { Orders } from "./dart-wars-orders";
import { Head, PlayerName } from "./players";
import type { BoardProps, Scoreboard } from "./scoreboard";

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
  /** The zones of each dart; none for one that is in no zone. */
  targets: string[][];
  /** What can be said now beside moves. */
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

interface DartWarsPlayer extends Player {
  homeland?: string;
  master?: string;
  bull?: string;
}

export interface DartWars extends Match {
  face: string;
  zones: Record<string, Record<string, number>>;
  visited: string[];
  turn: DartWarsTurn;
  players: DartWarsPlayer[];
}

const AT_THE_TARGET = ["order", "combat"];

export const dartWars: Scoreboard<DartWars> = {
  wide: true,

  awaited({ turn }) {
    const name = turn.actor;
    switch (turn.candidates ? undefined : turn.phase) {
      case "order":
        return t("bull.throw", { name });
      case "homelands":
        return t("wars.homeland", { name });
      case "border":
        return t("wars.border", { name });
      case "combat":
        return t("wars.combat.throw", { name });
      default:
        return undefined;
    }
  },

  dart(match, geometry, at) {
    const { targets, used, owed, darts } = match.turn;
    const titles = targets[at]?.map((zone) => titleOf(geometry, match, zone)) ?? [];
    const mark = owed.includes(at + 1) ? "owed" : used.includes(at + 1) ? "used" : undefined;
    const label = { text: titles.join(" / ") || dartName(darts[at] ?? ""), long: titles.length > 0 };
    return mark ? { ...label, mark } : label;
  },

  placed,

  aim(match, geometry, x, y) {
    const bed = bedAt(geometry, x, y);
    const zone = zoneOf(geometry, match, bed);
    const atTarget = AT_THE_TARGET.includes(match.turn.phase);
    const label = atTarget || zone === undefined ? dartName(bed) : titleOf(geometry, match, zone);
    return { label, aimed: zone ?? bed, dart: bed };
  },

  Board: MapOf,

  Panel({ match, geometry }) {
    return (
      <>
        <Head title={t("game.dart_wars")} match={match} extra={t("wars.supply", { n: supplyOf(match) })} />
        <ol class="armies" style={{ "--rows": match.players.length }}>
          {match.players.map((player, seat) => (
            <Army key={player.name} match={match} geometry={geometry} player={player} seat={seat} />
          ))}
        </ol>
        <News match={match} geometry={geometry} />
      </>
    );
  },

  Control: Orders,
};

function supplyOf(match: DartWars): number {
  return (match as DartWars & { supply: number }).supply;
}

export function titleOf(geometry: Geometry, match: DartWars, zone: string): string {
  return mapFace(geometry, match.face)?.places[zone]?.title ?? zone;
}

export function zoneOf(geometry: Geometry, match: DartWars, bed: string): string | undefined {
  const places = mapFace(geometry, match.face)?.places ?? {};
  return Object.keys(places).find((name) => places[name]?.beds.includes(bed));
}

/** The darts where they landed: those of a combat or of the throw for the bull, or those of the turn. */
function placed(match: DartWars, geometry: Geometry): PlacedDart[] {
  const { turn } = match;
  const fought = Object.entries(turn.combat?.darts ?? {});
  const bull = match.players.flatMap((player) =>
    player.bull === undefined ? [] : [[player.name, player.bull] as const],
  );
  const texts: [string, string][] = turn.combat
    ? fought
    : turn.phase === "order"
      ? bull.map(([name, text]) => [name, text])
      : turn.darts.map((text, i) => [String(i), text]);
  const seen = new Map<string, number>();
  return texts.flatMap(([key, text], i) => {
    const nth = seen.get(text) ?? 0;
    seen.set(text, nth + 1);
    const zone = text.split("|")[0] ?? text;
    const measured = turn.combat || turn.phase === "order" ? undefined : turn.at?.[i];
    // Beside the middle of its bed, where the troops stand.
    const at =
      measured ?? bedPlace(text, text === "MISS" ? nth : nth + 1, geometry) ?? middleOf(match, geometry, zone, nth);
    return at ? [{ key: `${key}-${text}`, at, latest: i === texts.length - 1 }] : [];
  });
}

/** A point in a zone of which no bed is known. */
function middleOf(match: DartWars, geometry: Geometry, zone: string, nth: number): [number, number] | undefined {
  const bed = mapFace(geometry, match.face)?.places[zone]?.beds[0];
  const at = bed === undefined ? undefined : geometry.beds[bed]?.at;
  return at && beside(at, nth);
}

interface MapProps extends BoardProps<DartWars> {
  /** The place that a troop is to go from. */
  picked?: string | undefined;
}

export function MapOf({ match, geometry, darts, aimed, picked }: MapProps) {
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

/** The map for those who do not see it: who stands where. */
function inWords({ zones }: DartWars, face: MapFace): string {
  const lines = Object.entries(zones).map(
    ([zone, troops]) =>
      `${face.places[zone]?.title ?? zone}: ${Object.entries(troops)
        .map(([name, count]) => `${name} ${count}`)
        .join(", ")}`,
  );
  return [t("wars.map"), ...lines].join(". ");
}

interface ArmyProps {
  match: DartWars;
  geometry: Geometry;
  player: DartWarsPlayer;
  seat: number;
}

function Army({ match, geometry, player, seat }: ArmyProps) {
  const { homeland, master, bull } = player;
  const won = match.winners.includes(player.name);
  const active = !match.finished && player.name === match.turn.actor;
  const about = won
    ? t("winner")
    : master !== undefined
      ? t("wars.slave", { name: master })
      : homeland !== undefined
        ? titleOf(geometry, match, homeland)
        : bull !== undefined
          ? dartName(bull)
          : t("wars.nohome");
  return (
    <li
      class={["army", active && "active", won && "won", master !== undefined && "slave"].filter(Boolean).join(" ")}
      aria-current={active ? "true" : undefined}
    >
      <Sign seat={seat} />
      <span class="name">
        <PlayerName match={match} player={player} />
      </span>
      <span class="realm">
        {about}
        {master !== undefined && homeland !== undefined && ` · ${titleOf(geometry, match, homeland)}`}
      </span>
      <output class="score" aria-label={t("wars.troops")}>
        {player.score}
      </output>
    </li>
  );
}

/** The combat that is fought, or the attacks that are to come; always there, so that nothing moves. */
function News({ match, geometry }: { match: DartWars; geometry: Geometry }) {
  const { turn, players } = match;
  const { combat } = turn;
  if (combat) {
    const sides = [combat.attacker, combat.defender ?? combat.against];
    return (
      <section class="news fight" aria-label={t("wars.combat")}>
        <h2>{t("wars.combat.in", { zone: titleOf(geometry, match, combat.zone) })}</h2>
        <ol>
          {sides.map((name) => (
            <li key={name} class={name === turn.actor && turn.awaits === "throw" ? "active" : ""}>
              <Sign seat={players.findIndex((player) => player.name === name)} />
              <span class="text">{name}</span>
              <b>{combat.darts?.[name] === undefined ? "–" : dartName(combat.darts[name])}</b>
            </li>
          ))}
        </ol>
      </section>
    );
  }
  const attacks = Object.entries(turn.attacks);
  const ready = Object.values(turn.ready).reduce((sum, count) => sum + count, 0);
  return (
    <section class="news">
      <h2>
        {attacks.length > 0
          ? t("wars.attacks")
          : turn.phase === "moves"
            ? t("wars.ready", { n: ready })
            : t("wars.quiet")}
      </h2>
      <ol class="pending">
        {attacks.map(([zone, count]) => (
          <li key={zone}>
            {titleOf(geometry, match, zone)}
            {count > 1 ? ` ×${count}` : ""}
          </li>
        ))}
      </ol>
    </section>
  );
}
