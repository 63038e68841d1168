// What each game counts for a player, drills with their last ten results.
import { gameTitle } from "../../game-title";
import { labelled, points, t } from "../../text";
import type { Figure, GameFigures, Person } from "../request";
import { figureName, figureValue, many } from "../words";

/** Shown elsewhere on the page. */
const ELSEWHERE = new Set(["doubles", "tons"]);

export function Games({ player }: { player: Person }) {
  const own = player as unknown as Record<string, GameFigures | undefined>;
  const names = new Set([...Object.keys(player.games), ...["x01", "cricket"].filter((name) => own[name])]);
  return (
    <section class="games-played">
      <h2>{t("past.games")}</h2>
      <ul>
        {[...names]
          .filter((game) => own[game])
          .map((game) => (
            <li key={game}>
              <h3>
                {gameTitle(game)} {player.games[game] && <small>{many("past.times", player.games[game])}</small>}
              </h3>
              <GameCard figures={own[game] ?? {}} />
            </li>
          ))}
      </ul>
      <p class="dust">
        {[...names]
          .filter((game) => !own[game])
          .map((game) => `${gameTitle(game)} ${many("past.times", player.games[game] ?? 0)}`)
          .join(" · ")}
      </p>
    </section>
  );
}

function GameCard({ figures }: { figures: GameFigures }) {
  const { last_ten: last, ...others } = figures;
  const entries = Object.entries(others).filter(([name]) => !ELSEWHERE.has(name));
  return (
    <>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{figureName(name)}</dt>
            <dd>{shown(name, value)}</dd>
          </div>
        ))}
      </dl>
      {Array.isArray(last) && <LastTen results={last} />}
    </>
  );
}

function shown(name: string, value: Figure): string {
  if (typeof value === "number" || typeof value === "string") return figureValue(name, value);
  if (Array.isArray(value)) return value.join(" ");
  return Object.entries(value)
    .map(([key, count]) => labelled(key, typeof count === "number" ? String(count) : Object.values(count).join("/")))
    .join(", ");
}

/** The last results as bars, from the lowest up. */
function LastTen({ results }: { results: number[] }) {
  const [low, high] = [Math.min(0, ...results), Math.max(1, ...results)];
  return (
    <div class="last-ten">
      <p>{figureName("last_ten")}</p>
      <ol>
        {results.map((result, i) => (
          <li key={i}>
            <span class="bar" aria-hidden="true" style={{ height: `${4 + (44 * (result - low)) / (high - low)}px` }} />
            {points(result)}
          </li>
        ))}
      </ol>
    </div>
  );
}
