// The beds of a board, as the darts of the players show them: what answers too rarely, and what counts darts twice.
import { isReferee } from "../access";
import { Dartboard } from "../board/dartboard";
import type { Geometry } from "../geometry";
import { decimal, t } from "../text";
import { Frame } from "./frame";
import type { BoardFault, BoardHealth } from "./request";
import { bedName, number } from "./words";
import { useWorkedOut } from "./worked-out";

export function HealthPage({ board, geometry }: { board: string; geometry: Geometry }) {
  const title = t("health.of", { board });
  return (
    <Frame title={title} board={board} problem={isReferee() ? undefined : t("health.referee")}>
      {isReferee() && <Health board={board} geometry={geometry} />}
    </Frame>
  );
}

function Health({ board, geometry }: { board: string; geometry: Geometry }) {
  const { value: page, problem } = useWorkedOut<BoardHealth>(`/board/${board}/health.json`);
  if (!page) return problem === undefined ? null : <p class="problem">{problem}</p>;
  const { faults } = page;
  const beds = (twice: boolean) =>
    faults?.filter(({ kind }) => (kind === "doubled") === twice).flatMap((fault) => fault.beds) ?? [];
  return (
    <section class="health" aria-busy={page.state === "computing"}>
      <State page={page} />
      {faults && (
        <div class="health-parts">
          <figure>
            <Dartboard geometry={geometry} lit={{ dangers: beds(false), targets: beds(true) }} />
            {faults.length > 0 && (
              <figcaption class="legend">
                {beds(false).length > 0 && (
                  <span>
                    <span class="key rare" /> {t("health.key.rare")}
                  </span>
                )}
                {beds(true).length > 0 && (
                  <span>
                    <span class="key doubled" /> {t("health.key.doubled")}
                  </span>
                )}
              </figcaption>
            )}
          </figure>
          <div class="health-words">
            {faults.length === 0 && <p class="well">{t("health.well")}</p>}
            <ol class="faults">
              {faults.map((fault) => (
                <Fault key={`${fault.kind} ${fault.name}`} fault={fault} />
              ))}
            </ol>
            <p class="dust">
              {t("health.how")} {!page.lines && t("health.no_lines")}
            </p>
          </div>
        </div>
      )}
    </section>
  );
}

function State({ page: { state, install, darts = 0, players = 0, needed = 0, faults } }: { page: BoardHealth }) {
  const from = t("health.darts", { n: decimal(darts, 0), players });
  if (state === "ready") return <p class="dust">{from}</p>;
  const words = {
    few: t("health.few", { n: decimal(darts, 0), needed }),
    computing: faults ? `${from} ${t("health.again")}` : t("health.computing"),
    not_installed: t("health.install"),
    failed: t("health.failed"),
  }[state];
  return (
    <p class="dust" role="status">
      {words}
      {install && <code>{install}</code>}
    </p>
  );
}

function Fault({ fault }: { fault: BoardFault }) {
  const { kind, name, beds, seen, expected, chance } = fault;
  const tiles: [string, string][] = [
    [t(kind === "doubled" ? "health.twice" : "health.seen"), decimal(seen, 0)],
    [t(kind === "doubled" ? "health.counted" : "health.expected"), decimal(expected, 0)],
  ];
  return (
    <li class={kind}>
      <h2>{t(`health.${kind}`, { name: kind === "line" ? lineName(name) : bedName(name) })}</h2>
      {kind === "line" && <p>{beds.map(bedName).join(", ")}</p>}
      <dl class="rates">
        {tiles.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {chance !== undefined && <p class="dust">{t("health.chance", { chance: oneIn(chance) })}</p>}
      <p>{t(`health.${kind}.do`)}</p>
    </li>
  );
}

/** `row 3` or `column 5`, as the file of the board counts them. */
function lineName(name: string): string {
  const [kind, n = ""] = name.split(" ");
  return t(kind === "row" ? "health.row" : "health.column", { n });
}

/** A chance as one in so many. Below one in a million nobody needs to know how small it is. */
function oneIn(chance: number): string {
  const most = 1_000_000;
  const times = chance > 0 ? Math.min(1 / chance, most) : most;
  return t(times < most ? "health.one_in" : "health.less_than_one_in", { n: number(times, 0) });
}
