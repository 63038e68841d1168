// `/players`: what everyone came to; `/players/<name>`: one of them, with the beds and the bests.
import { useState } from "preact/hooks";
import { gameTitle } from "../game-title";
import type { Geometry } from "../geometry";
import { decimal, maybe, t } from "../text";
import {
  request,
  type Figure,
  type GameFigures,
  type HistoryReply,
  type MatchInfo,
  type PlayerFigures,
  useRequest,
} from "./request";
import { Frame } from "./frame";
import { HeatMap } from "./heat";
import { MatchList } from "./matches";
import { PlayerFiles } from "./player-files";

export function PlayersPage() {
  const { value: players, problem } = useRequest<PlayerFigures[]>("/players.json");
  return (
    <Frame title={t("past.players")} at="players" problem={problem}>
      {players?.length === 0 && <p>{t("past.none")}</p>}
      {players && players.length > 0 && (
        <div class="scrolls">
          <table class="players-table">
            <thead>
              <tr>
                {(["name", "matches", "won", "average", "nine", "rate", "mpr"] as const).map((column) => (
                  <th key={column} scope="col">
                    {t(`past.${column}`)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {players.map(({ name, matches, won, x01, cricket }) => (
                <tr key={name}>
                  <th scope="row">
                    <a href={address(name)}>{name}</a>
                  </th>
                  <td>{matches}</td>
                  <td>{won}</td>
                  <td>{number(x01?.average)}</td>
                  <td>{number(x01?.first_nine)}</td>
                  <td>{percent(x01?.checkout_rate)}</td>
                  <td>{number(cricket?.mpr)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Frame>
  );
}

export function PlayerPage({ name, geometry }: { name: string; geometry: Geometry }) {
  const { value: player, problem } = useRequest<PlayerFigures>(`${address(name)}.json`);
  const { value: matches } = useRequest<MatchInfo[]>(`/history.json?player=${encodeURIComponent(name)}`);
  return (
    <Frame title={name} at="players" problem={problem}>
      {player && (
        <div class="person">
          <section>
            <h2>{t("past.figures")}</h2>
            <dl class="rates">
              {figures(player).map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </section>
          <section>
            <h2>{t("past.beds")}</h2>
            <HeatMap geometry={geometry} beds={player.beds} />
          </section>
          <section>
            <h2>{t("past.history")}</h2>
            <MatchList matches={matches ?? []} />
          </section>
          <PlayerFiles name={name} />
          <Forget name={name} />
        </div>
      )}
    </Frame>
  );
}

function figures(player: PlayerFigures): [string, string][] {
  const { matches, won, games, x01, cricket } = player;
  const rows: [string, string | undefined][] = [
    [t("past.matches"), String(matches)],
    [t("past.won"), String(won)],
    [t("past.average"), number(x01?.average)],
    [t("past.nine"), number(x01?.first_nine)],
    [t("past.rate"), percent(x01?.checkout_rate)],
    [t("past.best.visit"), text(x01?.best_visit)],
    [t("past.best.checkout"), text(x01?.best_checkout)],
    [t("past.best.leg"), x01?.best_leg === undefined ? undefined : t("past.darts", { n: x01.best_leg })],
    ...(["100", "140", "180"] as const).map((step): [string, string | undefined] => [
      step === "180" ? step : `${step}+`,
      text(x01?.tons[step]),
    ]),
    [t("past.mpr"), number(cricket?.mpr)],
    [t("past.best.mpr"), number(cricket?.best_mpr)],
    ...Object.entries(player.awards ?? {}).map(([award, n]): [string, string] => [
      maybe(`award.${award}`) ?? award.replaceAll("_", " "),
      String(n),
    ]),
    ...otherFigures(player),
    ...Object.entries(games).map(([game, n]): [string, string] => [gameTitle(game), String(n)]),
  ];
  return rows.filter((row): row is [string, string] => Boolean(row[1]));
}

/** What games of other packages count, under the names that they gave: no text of ours knows them. */
function otherFigures(player: PlayerFigures): [string, string][] {
  return Object.keys(player.games)
    .filter((game) => game !== "x01" && game !== "cricket")
    .flatMap((game) =>
      Object.entries((player as unknown as Record<string, GameFigures | undefined>)[game] ?? {}).map(
        ([name, value]): [string, string] => [`${gameTitle(game)}: ${name.replaceAll("_", " ")}`, shown(value)],
      ),
    );
}

function shown(value: Figure): string {
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : decimal(value, 2);
  if (Array.isArray(value)) return value.join(" ");
  return Object.entries(value)
    .map(([name, count]) => `${name}: ${count}`)
    .join(", ");
}

/** Asks twice, because it cannot be undone. */
function Forget({ name }: { name: string }) {
  const [sure, setSure] = useState(false);
  const [problem, setProblem] = useState<string>();
  const forget = async () => {
    const { value, problem } = await request<HistoryReply>(address(name), { method: "DELETE" });
    if (value) location.assign("/players");
    else setProblem(problem);
  };
  return (
    <section class="forget">
      <p>{t("past.forget.help")}</p>
      {sure ? (
        <div>
          <button class="danger" onClick={() => void forget()}>
            {t("past.forget.sure", { name })}
          </button>
          <button onClick={() => setSure(false)}>{t("control.cancel")}</button>
        </div>
      ) : (
        <button onClick={() => setSure(true)}>{t("past.forget", { name })}</button>
      )}
      <p role="alert" class="problem">
        {problem}
      </p>
    </section>
  );
}

function address(name: string): string {
  return `/players/${encodeURIComponent(name)}`;
}

function number(value: number | undefined): string {
  return value === undefined ? "" : decimal(value, 2);
}

function percent(value: number | undefined): string {
  return value === undefined ? "" : `${decimal(value, 1)} %`;
}

function text(value: number | undefined): string | undefined {
  return value === undefined ? undefined : String(value);
}
