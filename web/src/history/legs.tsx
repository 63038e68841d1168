// The result of a match as a table, and each of its legs: who won it and by what. A leg leads to its first dart.
import { gameTitle } from "../game-title";
import { labelled, t } from "../text";
import type { LegInfo, MatchRecord, PlayerResult, Thrown } from "./request";
import { points } from "./rows";
import { figureName, number, percent } from "./words";

const COLUMNS: [keyof Thrown, (value: number) => string][] = [
  ["average", (value) => number(value)],
  ["first_nine", (value) => number(value)],
  ["checkout_rate", (value) => percent(value, 0)],
  ["best_checkout", String],
  ["best_leg", String],
  ["best_visit", String],
  ["mpr", (value) => number(value)],
  ["darts", String],
];

export function Results({ record }: { record: MatchRecord }) {
  const { results } = record;
  if (!results) return null;
  const rows = COLUMNS.filter(([key]) => results.some((result) => result[key] !== undefined));
  const scored = results.some((result) => points(result, record));
  return (
    <section class="wide">
      <h2>{t("past.result")}</h2>
      <div class="scrolls">
        <table class="players-table results">
          <thead>
            <tr>
              <td />
              {results.map(({ name, won }) => (
                <th key={name} scope="col" class={won ? "won" : ""}>
                  {name}
                  {won && (
                    <>
                      <span class="spoken"> ({t("winner")})</span>
                      <span aria-hidden="true"> ★</span>
                    </>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {scored && (
              <tr class="points">
                <th scope="row">{heading(results, record)}</th>
                {results.map((result) => (
                  <td key={result.name} class={result.won ? "won" : ""}>
                    {points(result, record)}
                  </td>
                ))}
              </tr>
            )}
            {rows.map(([key, text]) => (
              <tr key={key}>
                <th scope="row">{figureName(key)}</th>
                {results.map((result) => (
                  <td key={result.name}>{result[key] === undefined ? "–" : text(result[key] as number)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function heading(results: PlayerResult[], record: MatchRecord): string {
  const [first] = results;
  if (!first) return "";
  const text = points(first, record);
  if (text === String(first.sets) && Math.max(...results.map(({ sets = 0 }) => sets)) > 1) return t("x01.sets");
  return results.reduce((sum, { legs = 0 }) => sum + legs, 0) > 1 ? t("x01.legs") : t("score");
}

interface Props {
  record: MatchRecord;
  onWatch: (state: number) => void;
}

/** A single leg is the match itself. */
export function Legs({ record, onWatch }: Props) {
  const { legs = [], players } = record;
  if (legs.length < 2) return null;
  const several = new Set(legs.map(({ game }) => game)).size > 1;
  return (
    <section class="wide">
      <h2>{t("past.legs")}</h2>
      <div class="scrolls">
        <table class="players-table legs">
          <thead>
            <tr>
              <th scope="col">{t("past.leg")}</th>
              {players.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {legs.map((leg, i) => (
              <tr key={leg.begins}>
                <th scope="row">
                  <button
                    type="button"
                    class="quiet"
                    aria-label={watch(leg, i, several)}
                    onClick={() => onWatch(leg.begins)}
                  >
                    <span aria-hidden="true">▸ {i + 1}</span>
                    {several && <span aria-hidden="true"> {gameTitle(leg.game)}</span>}
                  </button>
                </th>
                {players.map((name) => (
                  <LegCell key={name} leg={leg} name={name} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function watch({ game }: LegInfo, i: number, several: boolean): string {
  const words = t("past.leg.watch", { n: i + 1 });
  return several ? labelled(words, gameTitle(game)) : words;
}

function LegCell({ leg, name }: { leg: LegInfo; name: string }) {
  const won = leg.winners.includes(name);
  const thrown = leg.players.find((player) => player.name === name);
  const figures = [
    thrown?.average !== undefined && `${won ? "★ " : ""}Ø ${number(thrown.average, 1)}`,
    thrown?.mpr !== undefined && `${won ? "★ " : ""}MPR ${number(thrown.mpr)}`,
    thrown?.darts !== undefined && (thrown.darts === 1 ? t("past.darts.one") : t("past.darts", { n: thrown.darts })),
    won && thrown?.average === undefined && thrown?.mpr === undefined && "★",
    won && thrown?.best_checkout !== undefined && t("result.checkout", { n: thrown.best_checkout }),
  ].filter(Boolean);
  return (
    <td class={won ? "won" : ""}>
      {won && <span class="spoken">{t("winner")} </span>}
      {figures.map((figure) => (
        <span key={String(figure)} class="part">
          {figure}
        </span>
      ))}
      {leg.shared && <span class="part">{t("past.leg.shared")}</span>}
    </td>
  );
}
