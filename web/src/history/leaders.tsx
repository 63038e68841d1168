// The leaderboards on `/players`: tonight, this month, of all time.
import { useState } from "preact/hooks";
import { gameTitle } from "../game-title";
import { decimal, t } from "../text";
import { type LeaderLine, type Leaders, useRequest } from "./request";
import { figureName, figureValue } from "./words";

const PERIODS = ["tonight", "month", "all"] as const;
type Period = (typeof PERIODS)[number];

const AGAIN_MS = 60_000;

/** The address has the period, so that a screen can show one for ever. */
function chosen(): Period {
  const asked = new URLSearchParams(location.search).get("period");
  return PERIODS.find((period) => period === asked) ?? "all";
}

export function LeaderBoards() {
  const [period, setPeriod] = useState(chosen);
  const { value: leaders, problem } = useRequest<Leaders>(`/leaders.json?period=${period}`, AGAIN_MS);
  const choose = (next: Period) => {
    history.replaceState(null, "", `?period=${next}`);
    setPeriod(next);
  };
  return (
    <section class="leaders" aria-label={t("leaders")}>
      <div class="periods" role="group" aria-label={t("past.filter.when")}>
        {PERIODS.map((name) => (
          <button key={name} type="button" aria-pressed={name === period} onClick={() => choose(name)}>
            {t(`leaders.${name}`)}
          </button>
        ))}
      </div>
      {problem && <p role="alert">{problem}</p>}
      {leaders?.boards.length === 0 && <p class="dust">{t("leaders.none")}</p>}
      <div class="boards">
        {leaders?.boards.map(({ game, figure, players }) => (
          <section key={`${game} ${figure}`}>
            <h2>
              {nameOf(figure)} {game && <small>{gameTitle(game)}</small>}
            </h2>
            <ol>
              {players.map((line) => (
                <li key={line.name}>
                  <a href={`/players/${encodeURIComponent(line.name)}`}>{line.name}</a>
                  <Value figure={figure} line={line} />
                </li>
              ))}
            </ol>
            {figure === "rating" && <p class="dust">{t("leaders.least")}</p>}
          </section>
        ))}
      </div>
    </section>
  );
}

function Value({ figure, line: { value, error, gain } }: { figure: string; line: LeaderLine }) {
  return (
    <span class="leader-value">
      <b>{figureValue(figure, value)}</b>
      {error !== undefined && <small> ± {decimal(error, 0)}</small>}
      {gain !== undefined && gain !== 0 && (
        <small class={gain > 0 ? "gain" : "loss"}> {`${gain > 0 ? "+" : "−"}${decimal(Math.abs(gain), 0)}`}</small>
      )}
    </span>
  );
}

/** `tons.180` are visits of 180. */
function nameOf(figure: string): string {
  if (figure === "rating" || figure === "won") return t(`leaders.${figure}`);
  const [, step] = figure.split(".");
  return step === undefined ? figureName(figure) : t("leaders.visits", { n: step === "180" ? step : `${step}+` });
}
