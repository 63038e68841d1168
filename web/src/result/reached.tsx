// The end of a match of one player alone: what the game counts, the personal best, and the last results as bars.
import type { PlayerRecord } from "../games/records";
import type { Fact } from "../games/words/view";
import { decimal, points, t } from "../text";

/** From so many results on a mean says something. */
const LEAST = 3;
/** More figures than these are smaller. */
const MANY = 8;

interface Props {
  figures: Fact[];
  /** Undefined until they are read: their place is kept, so that nothing moves. */
  records: PlayerRecord[] | undefined;
}

export function Reached({ figures, records }: Props) {
  const drill = records?.[0]?.drill;
  const shown = [...figures];
  if (drill) {
    const { best, last } = drill;
    shown.push({ label: t("result.personal_best"), value: points(best) });
    const mean = last.reduce((sum, value) => sum + value, 0) / last.length;
    if (last.length >= LEAST) shown.push({ label: t("result.mean", { n: last.length }), value: decimal(mean, 1) });
  }
  if (records && shown.length === 0) return null;
  return (
    <div class="reached">
      <dl class={shown.length > MANY ? "facts records many" : "facts records"}>
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
