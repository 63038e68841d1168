// `/players`: what everyone came to.
import { decimal, t } from "../text";
import { Frame } from "./frame";
import { LeaderBoards } from "./leaders";
import { type PlayerFigures, saveWithName, useRequest } from "./request";
import { number, percent } from "./words";

export function PlayersPage() {
  const { value: players, problem } = useRequest<PlayerFigures[]>("/players.json");
  return (
    <Frame title={t("past.players")} at="players" problem={problem}>
      {players?.length === 0 && <p>{t("past.none")}</p>}
      {players && players.length > 0 && (
        <>
          <LeaderBoards />
          <div class="scrolls">
            <table class="players-table">
              <thead>
                <tr>
                  {(["name", "matches", "won", "rating", "average", "nine", "rate", "mpr"] as const).map((column) => (
                    <th key={column} scope="col">
                      {t(`past.${column}`)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {players.map(({ name, matches, won, rating, x01, cricket }) => (
                  <tr key={name}>
                    <th scope="row">
                      <a href={`/players/${encodeURIComponent(name)}`}>{name}</a>
                    </th>
                    <td>{matches}</td>
                    <td>{won}</td>
                    <td>{rating && `${decimal(rating.points, 0)} ± ${decimal(rating.error, 0)}`}</td>
                    <td>{number(x01?.average)}</td>
                    <td>{number(x01?.first_nine)}</td>
                    <td>{percent(x01?.checkout_rate)}</td>
                    <td>{number(cricket?.mpr)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          <a class="button" href="/players.csv" download onClick={saveWithName}>
            {t("past.csv")}
          </a>
        </>
      )}
    </Frame>
  );
}
