// Dart Wars: what each dart allows, the attacks owed, the armies, and the combats.
import { spreadOut, place as bedPlace, type PlacedDart } from "../board/darts";
import { atlas } from "../board/atlas";
import { shows, windowOn } from "../board/map-window";
import { bedAt, type Geometry, mapFace, polar } from "../geometry";
import { dartName, t } from "../text";
import { Sign } from "./armies";
import { frontOf, threatsTo } from "./dart-wars-front";
import { type DartWars, type DartWarsPlayer, MapOf, titleOf, zoneOf } from "./dart-wars-map";
import { News } from "./dart-wars-news";
import { Border, Orders } from "./dart-wars-orders";
import { LONG_NAME, PlayerName } from "./players";
import type { Scoreboard } from "./scoreboard";
import { ThrowerHead } from "./thrower";

/** Half of the width of the front, in radii: in the first one all names on a phone held upright have their size. */
const FRONTS = [0.72, 0.8, 0.9];

/** The letters of a bed's name, such as "T20". */
const LONGEST_BED = 4;

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
    const text = titles.join(" / ") || dartName(darts[at] ?? "");
    // The fields of the darts are narrow beside the map: a word has small letters, as the names of places have.
    const label = { text, long: titles.length > 0 || text.length > LONGEST_BED };
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
    const { players, finished, winners, turn } = match;
    const at = Math.max(
      0,
      players.findIndex(({ name }) => name === (finished ? winners[0] : turn.actor)),
    );
    const supply = t("wars.supply", { n: match.supply });
    return (
      <>
        {players[at] && (
          <ThrowerHead match={match} player={players[at]} title={t("game.dart_wars")} extra={supply} digits={2}>
            <Sign seat={at} />
          </ThrowerHead>
        )}
        <ol class="armies" style={{ "--rows": players.length }}>
          {players.map((player, seat) => (
            <Army key={player.name} match={match} geometry={geometry} player={player} seat={seat} />
          ))}
        </ol>
        <News match={match} geometry={geometry} />
      </>
    );
  },

  Control: Orders,

  Aside: News,

  front(match, geometry) {
    const face = mapFace(geometry, match.face);
    const spots = face && atlas(geometry, face).spots;
    const points = (face ? frontOf(match, face) : []).flatMap((zone) => {
      const spot = spots?.[zone];
      if (!spot) return [];
      // The troops, and both ends of the name.
      const ends = [-spot.span / 2, spot.span / 2].map((side) => polar(spot.name, spot.angle + side));
      return [polar(spot.token, spot.angle), ...ends].map(([x, y]): [number, number] => [x, -y]);
    });
    const windows = FRONTS.map((half) => windowOn(points, half));
    return windows.find((window) => window && points.every((point) => shows(window, point))) ?? windows.at(-1);
  },

  Border,
};

/** The darts where they landed: those of a combat or of the throw for the bull, or those of the turn. */
function placed(match: DartWars, geometry: Geometry): PlacedDart[] {
  const { turn } = match;
  const fought = Object.entries(turn.combat?.darts ?? {});
  const bull = match.players.flatMap(({ name, bull }): [string, string][] =>
    bull === undefined ? [] : [[name, bull]],
  );
  const texts: [string, string][] = turn.combat
    ? fought
    : turn.phase === "order"
      ? bull
      : turn.darts.map((text, i) => [String(i), text]);
  const seen = new Map<string, number>();
  return texts.flatMap(([key, text], i) => {
    const nth = seen.get(text) ?? 0;
    seen.set(text, nth + 1);
    const zone = text.split("|")[0] ?? text;
    const measured = turn.combat || turn.phase === "order" ? undefined : turn.at?.[i];
    // Next to the middle of its bed, where the troops are.
    const at =
      measured ?? bedPlace(text, text === "MISS" ? nth : nth + 1, geometry) ?? middleOf(match, geometry, zone, nth);
    return at ? [{ key: `${key}-${text}`, at, latest: i === texts.length - 1 }] : [];
  });
}

/** A point in a zone of which no bed is known. */
function middleOf(match: DartWars, geometry: Geometry, zone: string, nth: number): [number, number] | undefined {
  const bed = mapFace(geometry, match.face)?.places[zone]?.beds[0];
  const at = bed === undefined ? undefined : geometry.beds[bed]?.at;
  return at && spreadOut(at, nth);
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
  const face = mapFace(geometry, match.face);
  const threats = face && !match.finished ? threatsTo(match, face, player.name) : [];
  const about = won
    ? t("winner")
    : master !== undefined
      ? t("wars.vassal", { name: master })
      : homeland !== undefined
        ? titleOf(geometry, match, homeland)
        : bull !== undefined
          ? dartName(bull)
          : t("wars.nohome");
  return (
    <li
      class={["army", active && "active", won && "won", master !== undefined && "vassal"].filter(Boolean).join(" ")}
      aria-current={active ? "true" : undefined}
    >
      <Sign seat={seat} />
      <span class={player.name.length > LONG_NAME ? "name long" : "name"}>
        <PlayerName match={match} player={player} />
      </span>
      <div class="under">
        <span class="realm">
          {about}
          {master !== undefined && homeland !== undefined && ` · ${titleOf(geometry, match, homeland)}`}
        </span>
        {threats.length > 0 && (
          <span class="threats">
            <span>{t("wars.threats")}</span>
            {threats.map(({ by, zones }) => (
              <span key={by} class="threat">
                <Sign seat={match.players.findIndex(({ name }) => name === by)} />
                <span class="spoken">{by} </span>
                {zones.length}
              </span>
            ))}
          </span>
        )}
      </div>
      <output class="score" aria-label={t("wars.troops")}>
        {player.score}
      </output>
    </li>
  );
}
