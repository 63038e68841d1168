// The scores in small, at the top of the control page.
import { isActive, SideName, sidesOf } from "../games/players";
import type { Match } from "../match";
import { t } from "../text";

export function Score({ match }: { match: Match }) {
  const sides = sidesOf(match.players);
  return (
    <ol class="mini" style={{ "--columns": Math.min(sides.length, 4) }}>
      {sides.map((side) => {
        const [player] = side;
        const active = isActive(match, side);
        return (
          <li key={player.name} class={active ? "active" : ""} aria-current={active ? "true" : undefined}>
            <span class="name">
              <SideName match={match} side={side} />
            </span>
            <output aria-label={t("score")}>{player.score}</output>
          </li>
        );
      })}
    </ol>
  );
}
