// The scores in small, at the top of the control page.
import { PlayerName } from "../games/players";
import type { Match } from "../match";
import { t } from "../text";

export function Score({ match }: { match: Match }) {
  return (
    <ol class="mini" style={{ "--columns": Math.min(match.players.length, 4) }}>
      {match.players.map((player) => {
        const active = !match.finished && player.name === match.turn.player;
        return (
          <li key={player.name} class={active ? "active" : ""} aria-current={active ? "true" : undefined}>
            <span class="name">
              <PlayerName match={match} player={player} />
            </span>
            <output aria-label={t("score")}>{player.score}</output>
          </li>
        );
      })}
    </ol>
  );
}
