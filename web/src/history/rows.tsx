// A list of matches: day by day, with what each player came to.
import { gameTitle } from "../game-title";
import { sidesOf } from "../games/sides";
import { points as inFigures, t } from "../text";
import type { MatchInfo, PlayerResult } from "./request";
import { dayOf, formatOf, number, timeOf } from "./words";

/** `Day` is the heading of a day: one below the heading above the list. */
export function MatchList({ matches, Day = "h2" }: { matches: MatchInfo[]; Day?: "h2" | "h3" }) {
  const days: { day: string; matches: MatchInfo[] }[] = [];
  for (const match of matches) {
    const day = dayOf(match.started);
    if (days.at(-1)?.day === day) days.at(-1)?.matches.push(match);
    else days.push({ day, matches: [match] });
  }
  return (
    <div class="days">
      {days.map(({ day, matches: some }) => (
        <section key={`${day} ${some[0]?.id}`}>
          <Day class="day">{day}</Day>
          <ol class="matches">
            {some.map((match) => (
              <li key={match.id} class={match.result === "finished" ? "" : "open"}>
                <Row match={match} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

function Row({ match }: { match: MatchInfo }) {
  const format = formatOf(match);
  const results = match.results ?? match.players.map((name) => ({ name, won: false }));
  const marks = [
    match.result === "stopped" && t("past.early"),
    match.result === undefined && t("past.going"),
    match.damaged && t("past.damaged"),
    match.checked === false && t("past.unchecked"),
  ].filter(Boolean);
  return (
    <a href={`/history/${match.id}`}>
      <span class="what">
        <b>{gameTitle(match.game)}</b>
        {format && <span>{format}</span>}
        <small>
          <time dateTime={match.started}>{timeOf(match.started)}</time>
          {` · ${match.board}`}
        </small>
        {marks.length > 0 && <small class="mark">{marks.join(" · ")}</small>}
      </span>
      <span class="sides">
        {sidesOf(results.map(withScore)).map((side) => (
          <Side key={side[0].name} side={side} match={match} />
        ))}
      </span>
    </a>
  );
}

function Side({ side, match }: { side: [PlayerResult, ...PlayerResult[]]; match: MatchInfo }) {
  // Nobody wins alone.
  const won = side.length < (match.results?.length ?? 2) && side.some((player) => player.won);
  const averages = side.map(({ average }) => average).filter((value) => value !== undefined);
  const { mpr } = side[0];
  return (
    <span class={won ? "side won" : "side"}>
      <span class="names">
        {side.map(({ name }) => name).join(" & ")}
        {won && (
          <span class="star">
            <span class="spoken"> ({t("winner")})</span>
            <span aria-hidden="true"> ★</span>
          </span>
        )}
      </span>
      <span class="rate">
        {averages.length > 0 && <small>Ø </small>}
        {averages.map((value) => number(value, 1)).join(" · ")}
        {mpr !== undefined && <small> MPR </small>}
        {mpr !== undefined && number(mpr, 2)}
      </span>
      <b class="points">{match.results && points(side[0], match)}</b>
    </span>
  );
}

/** Sets or legs where there are several, else the score; in X01 what was left. */
export function points({ sets, legs, score }: PlayerResult, { results = [] }: Pick<MatchInfo, "results">): string {
  const most = (of: (result: PlayerResult) => number | undefined) =>
    Math.max(0, ...results.map((result) => of(result) ?? 0));
  if (sets !== undefined && most((result) => result.sets) > 1) return String(sets);
  // A single leg of X01 is a leg won, which says less than what was left.
  if (legs !== undefined && results.reduce((sum, result) => sum + (result.legs ?? 0), 0) > 1) return String(legs);
  return score === undefined ? "" : inFigures(score);
}

function withScore<R extends PlayerResult>(result: R): R & { score: number } {
  return { ...result, score: result.score ?? 0 };
}
