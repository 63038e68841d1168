// Beside a score on the phone: the sets and legs that a side has won, in a match of several.
import type { Match, Player } from "../match";
import { t } from "../text";

export function WonLegs({ match, player }: { match: Match; player: Player }) {
  if (!match.to_win) return null;
  const { legs: needed, sets = 1 } = match.to_win;
  const won = [
    ...(sets > 1 ? [{ label: t("x01.sets"), value: player.sets ?? 0 }] : []),
    ...(needed > 1 ? [{ label: t("x01.legs"), value: player.legs ?? 0 }] : []),
  ];
  return (
    <span class="won-legs">
      {won.map(({ label, value }) => (
        <span key={label}>
          <small class="word">{label}</small>
          <small class="initial" aria-hidden="true">
            {label.slice(0, 1)}
          </small>{" "}
          <b>{value}</b>
        </span>
      ))}
    </span>
  );
}
