// Head to head: against whom, how often won and lost, and the averages of both in these matches.
import { t } from "../../text";
import type { Opponent } from "../request";
import { number } from "../words";

export function Opponents({ opponents }: { opponents: Opponent[] }) {
  return (
    <section class="opponents">
      <h2>{t("past.opponents")}</h2>
      <div class="scrolls">
        <table class="players-table">
          <thead>
            <tr>
              <th scope="col">{t("past.opponent")}</th>
              <th scope="col">{t("past.balance")}</th>
              <th scope="col">{t("past.average")}</th>
              <th scope="col">{t("past.mpr")}</th>
            </tr>
          </thead>
          <tbody>
            {opponents.map((opponent) => (
              <Row key={opponent.name} opponent={opponent} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Row({ opponent }: { opponent: Opponent }) {
  const { name, won, lost, average, mpr, their_average: theirs, their_mpr: their } = opponent;
  return (
    <tr>
      <th scope="row">
        <a href={`/players/${encodeURIComponent(name)}`}>{name}</a>
      </th>
      <td>
        <span class={won > lost ? "balance ahead" : "balance"}>
          {won} : {lost}
        </span>
        {won + lost > 0 && (
          <span class="meter" aria-hidden="true">
            <span style={{ width: `${(100 * won) / (won + lost)}%` }} />
          </span>
        )}
      </td>
      <td>{versus(average, theirs, 1)}</td>
      <td>{versus(mpr, their, 2)}</td>
    </tr>
  );
}

function versus(own: number | undefined, theirs: number | undefined, digits: number): string {
  return own === undefined && theirs === undefined
    ? ""
    : `${number(own, digits) || "–"} : ${number(theirs, digits) || "–"}`;
}
