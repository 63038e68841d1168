// Averages over time: the last matches one by one, or all months.
import { useState } from "preact/hooks";
import { t } from "../../text";
import type { Averages, Person } from "../request";
import { figureName, monthName, number, shortDate } from "../words";
import { LineChart, type Point } from "./chart";

const FIGURES = ["average", "mpr"] as const;

export function OverTime({ player }: { player: Person }) {
  const played = FIGURES.filter(
    (figure) => points(player.form, figure).length + points(player.months, figure).length > 0,
  );
  const [figure, setFigure] = useState<(typeof FIGURES)[number]>(played[0] ?? "average");
  const [monthly, setMonthly] = useState(false);
  if (played.length === 0) return null;
  const shown: Point[] = monthly
    ? points(player.months, figure).map((month) => ({ label: monthName(month.month), value: month[figure] ?? 0 }))
    : points(player.form, figure).map((point) => ({
        label: shortDate(point.started),
        value: point[figure] ?? 0,
        href: `/history/${point.match}`,
      }));
  return (
    <section class="over-time">
      <h2>{t("past.over_time")}</h2>
      <div class="switches">
        {played.length > 1 && (
          <div class="switch">
            {played.map((name) => (
              <button key={name} type="button" aria-pressed={name === figure} onClick={() => setFigure(name)}>
                {figureName(name)}
              </button>
            ))}
          </div>
        )}
        <div class="switch">
          {[false, true].map((months) => (
            <button
              key={String(months)}
              type="button"
              aria-pressed={months === monthly}
              onClick={() => setMonthly(months)}
            >
              {t(months ? "past.by.month" : "past.by.match")}
            </button>
          ))}
        </div>
      </div>
      <LineChart
        key={`${figure} ${monthly}`}
        title={figureName(figure)}
        points={shown}
        format={(value) => number(value, figure === "mpr" ? 2 : 1)}
        smooth={!monthly}
      />
    </section>
  );
}

function points<P extends Averages>(some: P[], figure: (typeof FIGURES)[number]): P[] {
  return some.filter((point) => point[figure] !== undefined);
}
