// Cricket on the phone: the marks of every side, a line for each.
import { FittedName } from "../games/fitted-name";
import { isActive, sidesOf } from "../games/players";
import { Marks } from "../games/words/pictures";
import type { Match, Player } from "../match";
import { dartName, t } from "../text";
import { shortName } from "../wall/grid";

interface Cricket extends Match {
  numbers: (number | "bull")[];
  players: (Player & { marks: Record<string, number> })[];
}

/** Whether the marks of a match are shown so. Other games with marks have them in their own `Aside`. */
export function hasMarks(match: Match): match is Cricket {
  return match.game === "cricket" && "numbers" in match;
}

export function MarksOfAll({ match }: { match: Match }) {
  if (!hasMarks(match)) return null;
  return (
    <table class="all-marks">
      <thead>
        <tr>
          <td />
          {match.numbers.map((number) => (
            <th key={number} scope="col">
              {number === "bull" ? <abbr title={dartName("DB")}>B</abbr> : number}
            </th>
          ))}
        </tr>
      </thead>
      <tbody aria-label={t("cricket.marks.rounds")}>
        {sidesOf(match.players).map((side) => (
          <tr key={side[0].name} class={isActive(match, side) ? "active" : ""}>
            <th scope="row">
              <span class="name">
                {side.length === 1 ? (
                  <FittedName name={side[0].name} match={match.match} />
                ) : (
                  <span class="text narrow">{side.map(({ name }) => shortName(name)).join(" & ")}</span>
                )}
              </span>
            </th>
            {match.numbers.map((number) => (
              <td key={number}>
                <Marks count={side[0].marks[number] ?? 0} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
