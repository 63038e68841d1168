// `/players/<name>`: everything about one player.
import { isReferee } from "../../access";
import { gameTitle } from "../../game-title";
import type { Geometry } from "../../geometry";
import { decimal, t } from "../../text";
import { Frame } from "../frame";
import { HeatMap } from "../heat";
import { type MatchInfo, type Person, saveWithName, useRequest } from "../request";
import { MatchList } from "../rows";
import { number, percent } from "../words";
import { Achievements } from "./achievements";
import { Awards, Bests } from "./bests";
import { Card } from "./card";
import { Coach } from "./coach";
import { Doubles } from "./doubles";
import { PlayerFiles } from "../player-files";
import { Forget } from "./forget";
import { Games } from "./games";
import { Opponents } from "./opponents";
import { OverTime } from "./over-time";

const RECENT = 8;

export function PlayerPage({ name, geometry }: { name: string; geometry: Geometry }) {
  const address = `/players/${encodeURIComponent(name)}`;
  const query = `?player=${encodeURIComponent(name)}`;
  const { value: player, problem } = useRequest<Person>(`${address}.json`);
  const { value: matches } = useRequest<MatchInfo[]>(`/history.json${query}&limit=${RECENT}`);
  const doubles = player?.x01?.doubles;
  return (
    <Frame title={name} at="players" problem={problem}>
      {player && (
        <div class="person">
          <section class="wide">
            <h2 class="spoken">{t("past.figures")}</h2>
            <dl class="rates">
              {tiles(player).map(([label, value]) => (
                <div key={label}>
                  <dt>{label}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            {player.matches === 0 && <p>{t("past.none.counted")}</p>}
          </section>
          <div class="column">
            <OverTime player={player} />
            {doubles && <Doubles doubles={doubles} />}
            <Bests bests={player.bests} />
            {player.awards && <Awards awards={player.awards} />}
          </div>
          <div class="column">
            <section class="beds">
              <h2>{t("past.beds")}</h2>
              {Object.keys(player.beds).length > 0 ? (
                <HeatMap geometry={geometry} beds={player.beds} />
              ) : (
                <p class="dust">{t("past.beds.none")}</p>
              )}
            </section>
            {player.opponents.length > 0 && <Opponents opponents={player.opponents} />}
            <Achievements earned={player.achievements} />
          </div>
          <Coach name={name} geometry={geometry} />
          <Games player={player} />
          <section class="wide">
            <h2>{t("past.recent")}</h2>
            <MatchList matches={matches ?? []} Day="h3" />
            <p class="links">
              <a class="button" href={`/history${query}`}>
                {t("past.all.of", { name })}
              </a>
              <a class="button" href={`${address}.csv`} download onClick={saveWithName}>
                {t("past.csv")}
              </a>
            </p>
          </section>
          <PlayerFiles name={name} />
          {isReferee() && <Card name={name} />}
          {isReferee() && <Forget name={name} address={address} />}
        </div>
      )}
    </Frame>
  );
}

function tiles({ matches, alone = 0, won, rating, classes, x01, cricket }: Person): [string, string][] {
  const rows: [string, string | undefined][] = [
    [t("past.matches"), decimal(matches, 0)],
    [t("past.win_rate"), matches > alone ? percent((100 * won) / (matches - alone), 0) : undefined],
    [t("past.rating"), rating && `${decimal(rating.points, 0)} ± ${decimal(rating.error, 0)}`],
    [t("past.class"), classOf(classes)],
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
  ];
  return rows.filter((row): row is [string, string] => Boolean(row[1]));
}

/** Over both games with its flight, or of the games that have one. */
function classOf(classes: Person["classes"]): string | undefined {
  if (classes?.overall !== undefined) return `${decimal(classes.overall, 1)} ${classes.flight ?? ""}`;
  const games = (["x01", "cricket"] as const).filter((game) => classes?.[game] !== undefined);
  return games.map((game) => `${gameTitle(game)} ${decimal(classes?.[game] ?? 0, 1)}`).join(" · ") || undefined;
}

function text(value: number | undefined): string | undefined {
  return value === undefined ? undefined : decimal(value, 0);
}
