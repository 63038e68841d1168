// Yatzy-Dart: the figure of circles with the darts in it, and the current player's sheet.
import { Darts, EDGE } from "../board/dartboard";
import { spreadOut, type PlacedDart } from "../board/darts";
import { type CirclesFace, circlesFace, type Geometry, polar, zoneAt } from "../geometry";
import type { Match, Turn } from "../match";
import { t } from "../text";
import { PlayerName } from "./players";
import type { ControlProps, Scoreboard } from "./scoreboard";
import { ThrowerHead } from "./thrower";
import { type Category, categoryName, filledIn, LOWER, UPPER, type YatzyPlayer } from "./yatzy-sheet";

interface YatzyTurn extends Turn {
  /** The zone of each dart. */
  zones: string[];
  /** Every open category of the current player, and what the darts so far would score there. */
  options?: Record<string, number>;
}

interface Yatzy extends Match {
  face: string;
  turn: YatzyTurn;
  players: YatzyPlayer[];
}

const NUMBERS_AT = 1.12;

/** Where the number of a circle stands, from the middle of the figure. */
const VALUES_AT = 0.86;

/** A dart that is drawn nearer than this to a number would cover it. */
const CLEAR = 0.16;

/** The angle from a number to a dart beside it: there is room for two more on both sides of it. */
const BESIDE = 0.3;

export const yatzyDart: Scoreboard<Yatzy> = {
  awaited: ({ turn }) =>
    turn.awaits === "choose" && !turn.candidates ? t("yatzy.choose", { name: turn.actor }) : undefined,

  dart(match, geometry, at) {
    const face = circlesFace(geometry, match.face);
    return zoneName(face, match.turn.zones[at] ?? "");
  },

  placed(match, geometry) {
    const face = circlesFace(geometry, match.face);
    return face ? placed(match.turn, face) : [];
  },

  aim(match, geometry, x, y) {
    const face = circlesFace(geometry, match.face);
    const zone = face ? zoneAt(face, x, y) : "out";
    const { text, small = "" } = zoneName(face, zone);
    return { label: `${text} ${small}`.trim(), aimed: zone, dart: { at: [round(x), round(y)] } };
  },

  reached: filledIn,

  Board({ match, geometry, darts }) {
    const face = circlesFace(geometry, match.face);
    // A board that reports positions uses the rings of the figure; every other one its beds.
    const byBeds = !match.turn.at?.some(Boolean);
    return face ? <Figure face={face} geometry={geometry} darts={darts} byBeds={byBeds} /> : null;
  },

  Panel({ match }) {
    const { turn, players, finished, winners } = match;
    const shown = players.find(({ name }) => name === (finished ? winners[0] : turn.player)) ?? players[0];
    if (!shown) return null;
    const round = match.round === undefined ? undefined : t("round", { n: match.round });
    return (
      <>
        <ThrowerHead match={match} player={shown} title={t("game.yatzy_dart")} extra={round} digits={3} />
        <Sheet player={shown} options={turn.options} choosing={turn.awaits === "choose"} />
        {players.length > 1 && <Totals match={match} />}
      </>
    );
  },

  Control,
};

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** A zone's short name: its numbers and how often they count. */
function zoneName(face: CirclesFace | undefined, zone: string) {
  if (zone === "star") return { text: t("yatzy.star") };
  if (zone === "out" || zone === "") return { text: t("yatzy.out") };
  const [numbers = "", ring] = zone.split(".");
  const times = face?.rings.find(({ name }) => name === ring)?.times;
  return { text: numbers, small: times === undefined ? "" : `×${times}` };
}

function placed(turn: YatzyTurn, face: CirclesFace): PlacedDart[] {
  const seen = new Map<string, number>();
  return turn.zones.map((zone, i) => {
    const nth = seen.get(zone) ?? 0;
    seen.set(zone, nth + 1);
    const middle = face.zones[zone]?.at;
    const drawn: [number, number] = middle ? besideValue(face, middle) : [0.9 + 0.12 * nth, -1.08 + 0.06 * nth];
    const at = turn.at?.[i] ?? spreadOut(drawn, nth);
    return { key: `${i}-${turn.darts[i]}-${zone}`, at, latest: i === turn.zones.length - 1 };
  });
}

/** Where the number of a circle stands. */
function valueAt({ at: [x, y] }: CirclesFace["circles"][number]): [number, number] {
  const far = Math.hypot(x, y) || 1;
  return [(VALUES_AT * x) / far, (VALUES_AT * y) / far];
}

/** The middle of a zone, or a place beside the number that stands there. */
function besideValue(face: CirclesFace, [x, y]: [number, number]): [number, number] {
  const covered = face.circles.map(valueAt).find(([a, b]) => Math.hypot(x - a, y - b) < CLEAR);
  if (!covered) return [x, y];
  const [radius, angle] = [Math.hypot(x, y), Math.atan2(...covered) + BESIDE];
  return [radius * Math.sin(angle), radius * Math.cos(angle)];
}

interface FigureProps {
  face: CirclesFace;
  geometry: Geometry;
  darts: PlacedDart[];
  byBeds: boolean;
}

/** How often a dart in each kind of bed counts: the triple is the inner ring, wherever the figure has it. */
const BEDS = ["S ×1", "D ×2", "T ×3"];

/** The six circles, the rings and the star; outside, the dartboard's numbers for the circles. */
function Figure({ face, geometry, darts, byBeds }: FigureProps) {
  const edge = face.rings.at(-1)?.to ?? 1;
  return (
    <svg
      class="dartboard figure"
      viewBox={`${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}`}
      role="img"
      aria-label={byBeds ? `${t("yatzy.figure")}. ${t("yatzy.beds")}` : t("yatzy.figure")}
    >
      <circle class="surround" r={EDGE - 0.01} />
      <circle class="ground" r={edge} />
      {face.circles.map(({ number, at: [x, y], radius }) => (
        <circle key={number} class={`circle circle-${number}`} cx={x} cy={-y} r={radius} />
      ))}
      {face.rings.map(({ name, to }) => (
        <circle key={name} class="ring" r={to} />
      ))}
      {face.circles.map(({ number, at: [x, y], radius }) => (
        <circle key={number} class="outline" cx={x} cy={-y} r={radius} />
      ))}
      <path class="star" d={star(face.star)} />
      <g class="values">
        {face.circles.map((circle) => {
          const [x, y] = valueAt(circle);
          return (
            <text key={circle.number} x={x} y={-y}>
              {circle.number}
            </text>
          );
        })}
      </g>
      <g class="times" aria-hidden="true">
        {face.rings.map(({ name, to, times }, i) => {
          const from = i === 0 ? face.star : (face.rings[i - 1]?.to ?? 0);
          // Between two circles; beyond the outermost, nearer to the rim.
          const [x, y] = polar(from + (to - from) * (i === face.rings.length - 1 ? 0.68 : 0.5), Math.PI / 6);
          return (
            <text key={name} x={x} y={y}>
              ×{times}
            </text>
          );
        })}
      </g>
      <g class="numbers" aria-hidden="true">
        {geometry.numbers.map((number, i) => {
          const [x, y] = polar(NUMBERS_AT, (i * Math.PI) / 10);
          return (
            <text key={number} x={x} y={y}>
              {number}
            </text>
          );
        })}
      </g>
      {byBeds && (
        <g class="beds" aria-hidden="true">
          {BEDS.map((bed, i) => (
            <text key={bed} x={EDGE - 0.03} y={EDGE - 0.05 - 0.15 * (BEDS.length - 1 - i)}>
              {bed}
            </text>
          ))}
        </g>
      )}
      <Darts darts={darts} />
    </svg>
  );
}

function star(radius: number): string {
  const points = Array.from({ length: 12 }, (_, i) => polar(i % 2 ? radius * 0.5 : radius, (i * Math.PI) / 6));
  return `M${points.map((point) => point.map((n) => n.toFixed(4)).join(" ")).join("L")}Z`;
}

interface SheetProps {
  player: YatzyPlayer;
  options: Record<string, number> | undefined;
  choosing: boolean;
}

function Sheet({ player, options, choosing }: SheetProps) {
  const line = (category: Category) => {
    const points = player.sheet[category];
    const offered = points === undefined ? options?.[category] : undefined;
    return (
      <tr key={category} class={points !== undefined ? "filled" : offered ? "offered" : "open"}>
        <th scope="row">{categoryName(category)}</th>
        <td>{points !== undefined ? points : offered ? <i>{offered}</i> : <span aria-hidden="true">–</span>}</td>
      </tr>
    );
  };
  return (
    <section class={choosing ? "sheets choosing" : "sheets"} aria-label={t("yatzy.sheet", { name: player.name })}>
      <table class="sheet-half">
        <tbody>
          {UPPER.map(line)}
          <tr class="sum">
            <th scope="row">{t("yatzy.upper")}</th>
            <td>{player.upper}</td>
          </tr>
          <tr class="sum">
            <th scope="row">{t("yatzy.bonus")}</th>
            <td>{player.bonus}</td>
          </tr>
        </tbody>
      </table>
      <table class="sheet-half">
        <tbody>{LOWER.map(line)}</tbody>
      </table>
    </section>
  );
}

/** Each player's total and filled categories. */
function Totals({ match }: { match: Yatzy }) {
  const { players, turn, winners, finished } = match;
  const rows = Math.ceil(players.length / 4);
  return (
    <ol class={`totals rows-${rows}`} style={{ "--columns": Math.ceil(players.length / rows) }}>
      {players.map((player) => {
        const active = !finished && player.name === turn.player;
        const won = winners.includes(player.name);
        return (
          <li key={player.name} class={won ? "won" : active ? "active" : ""} aria-current={active ? "true" : undefined}>
            <span class="name">
              <PlayerName match={match} player={player} />
            </span>
            <output class="score" aria-label={t("score")}>
              {player.score}
            </output>
            <span class="pips" role="img" aria-label={t("yatzy.filled", { n: Object.keys(player.sheet).length })}>
              {[...UPPER, ...LOWER].map((category) => (
                <i key={category} class={player.sheet[category] === undefined ? "" : "on"} />
              ))}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

/** All categories as buttons, with what each would score; the filled ones are shown as a reminder. */
function Control({ match, send, busy }: ControlProps<Yatzy>) {
  const { turn } = match;
  if (turn.awaits !== "choose" || turn.candidates) return null;
  const sheet = match.players.find(({ name }) => name === turn.player)?.sheet ?? {};
  return (
    <fieldset class="categories" disabled={busy}>
      <legend>{t("yatzy.pick")}</legend>
      {[...UPPER, ...LOWER].map((category) => {
        const offered = turn.options?.[category];
        return (
          <button
            type="button"
            key={category}
            class={offered ? "offered" : ""}
            disabled={offered === undefined}
            onClick={() => send({ choose: { category } })}
          >
            <span>{categoryName(category)}</span>
            <b>{offered ?? sheet[category]}</b>
          </button>
        );
      })}
    </fieldset>
  );
}
