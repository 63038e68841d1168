// The end of a match of one player alone: what the game counts, the personal best, and the last results as bars.
import type { PlayerRecord } from "../games/records";
import { figures } from "../games/words/view";
import type { Player } from "../match";
import { points, t } from "../text";

export function Reached({ player, record }: { player: Player; record: PlayerRecord | undefined }) {
  const drill = record?.drill;
  const shown = figures(player);
  if (drill) shown.push({ label: t("result.personal_best"), value: points(drill.best) });
  return (
    <div class="reached">
      <dl class="facts records">
        {shown.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {drill && drill.last.length > 1 && <LastResults last={drill.last} />}
    </div>
  );
}

/** A bar for each of the last results, this one last. */
function LastResults({ last }: { last: number[] }) {
  const low = Math.min(0, ...last);
  const span = Math.max(1, ...last) - low;
  return (
    <figure class="last-results">
      <figcaption>{t("result.last")}</figcaption>
      <ol>
        {last.map((value, i) => (
          <li key={i} style={{ "--part": (value - low) / span }}>
            <b>{points(value)}</b>
          </li>
        ))}
      </ol>
    </figure>
  );
}
