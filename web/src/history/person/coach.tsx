// A player's hand, and what follows from it: where to aim, how to finish, what to practise.
import { EDGE } from "../../board/dartboard";
import { type Geometry, polar, regions } from "../../geometry";
import { gameTitle } from "../../game-title";
import { dartName, decimal, t } from "../../text";
import type { HandPage } from "../request";
import { useWorkedOut } from "../worked-out";
import { monthName, number } from "../words";
import { Drill } from "./drill";
import { Band } from "./band";

/** Standard errors of an interval that contains the truth nine times in ten. */
const SURE = 1.645;
const BOARD_MM = 170;

export function Coach({ name, geometry }: { name: string; geometry: Geometry }) {
  const { value: page } = useWorkedOut<HandPage>(`/players/${encodeURIComponent(name)}/hand.json`);
  if (!page || (page.state === "few" && !page.darts)) return null;
  const { hand, routes = [], costly, average, practice, months = [] } = page;
  return (
    <section class="coach" aria-busy={page.state === "computing"}>
      <h2>{t("coach")}</h2>
      <State page={page} />
      {hand && (
        <div class="coach-parts">
          <figure class="hand-board">
            <HandOnBoard page={page} geometry={geometry} />
            <figcaption>{t("coach.board")}</figcaption>
          </figure>
          <div class="coach-words">
            <dl class="rates">
              {tiles(page).map(([label, value, more]) => (
                <div key={label}>
                  <dt>
                    {label}
                    {more && <small>{more}</small>}
                  </dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
            {page.best && (
              <p>
                {t("coach.best", {
                  where: dartName(page.best.bed),
                  points: number(page.best.points, 1),
                  usual: number(page.at_t20, 1),
                })}
              </p>
            )}
            {average?.thrown !== undefined && (
              <p>{t("coach.average", { thrown: number(average.thrown, 1), expected: number(average.expected, 1) })}</p>
            )}
            {costly && (
              <p>
                <a href={`/history/${costly.match}`}>
                  {t("coach.costly", { left: costly.left, bed: dartName(costly.bed), darts: number(costly.cost, 1) })}
                </a>
              </p>
            )}
            {practice && (
              <div class="practice">
                <p>
                  {t(practice.hit < practice.expected ? "coach.practice.behind" : "coach.practice.ahead", {
                    kind: t(`coach.kind.${practice.kind}`),
                    darts: practice.darts,
                    hit: practice.hit,
                    expected: number(practice.expected, 0),
                    drill: gameTitle(practice.drill),
                  })}
                </p>
                <Drill name={name} game={practice.drill} geometry={geometry} />
              </div>
            )}
          </div>
          {routes.length > 0 && (
            <div class="routes">
              <h3>{t("coach.routes")}</h3>
              <table class="players-table">
                <thead>
                  <tr>
                    <th scope="col">{t("coach.left")}</th>
                    <th scope="col">{t("coach.own")}</th>
                    <th scope="col">{t("coach.standard")}</th>
                    <th scope="col">{t("coach.saves")}</th>
                  </tr>
                </thead>
                <tbody>
                  {routes.map((route) => (
                    <tr key={route.left}>
                      <th scope="row">{route.left}</th>
                      <td class="own">{route.own.map((bed) => dartName(bed)).join(" ")}</td>
                      <td>{route.standard.map((bed) => dartName(bed)).join(" ")}</td>
                      <td>{number(route.darts, 1)}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )}
          {months.length > 1 && (
            <div class="progress">
              <h3>{t("coach.months")}</h3>
              <Band
                title={t("coach.skill")}
                points={months.map(({ month, skill_mm: value, error }) => ({
                  label: monthName(month),
                  value,
                  low: value - SURE * error,
                  high: value + SURE * error,
                }))}
              />
            </div>
          )}
        </div>
      )}
    </section>
  );
}

function State({ page: { state, install, darts = 0, needed = 0, hand } }: { page: HandPage }) {
  if (state === "ready") return <p class="dust">{t("coach.darts", { n: decimal(darts, 0) })}</p>;
  const words = {
    few: t("coach.few", { n: darts, needed }),
    computing: t(hand ? "coach.again" : "coach.computing"),
    not_installed: t("coach.install"),
    failed: t("coach.failed"),
  }[state];
  return (
    <p class="dust" role="status">
      {words}
      {install && <code>{install}</code>}
    </p>
  );
}

function tiles({ hand }: HandPage): [string, string, string?][] {
  if (!hand) return [];
  const { error } = hand;
  const width = (value: number, off: number): [string, string] => [
    t("coach.mm", { n: number(value, 1) }),
    `± ${number(SURE * off, 1)}`,
  ];
  return [
    [t("coach.across"), ...width(hand.x_mm, error.x_mm)],
    [t("coach.up"), ...width(hand.y_mm, error.y_mm)],
    [t(hand.right_mm < 0 ? "coach.off.left" : "coach.off.right"), ...width(Math.abs(hand.right_mm), error.right_mm)],
    [t(hand.up_mm < 0 ? "coach.off.low" : "coach.off.high"), ...width(Math.abs(hand.up_mm), error.up_mm)],
  ];
}

/** The board with the point to aim at, and the ellipses in which 39 and 86 of 100 darts land. */
function HandOnBoard({ page: { hand, best }, geometry }: { page: HandPage; geometry: Geometry }) {
  if (!hand || !best) return null;
  const xx = hand.x_mm ** 2;
  const yy = hand.y_mm ** 2;
  const xy = hand.tilt * hand.x_mm * hand.y_mm;
  const middle = (xx + yy) / 2;
  const apart = Math.hypot((xx - yy) / 2, xy);
  const [long, short] = [Math.sqrt(middle + apart), Math.sqrt(Math.max(0, middle - apart))];
  const turn = (-Math.atan2(2 * xy, xx - yy) / 2) * (180 / Math.PI);
  const [x, y] = [best.x_mm / BOARD_MM, -best.y_mm / BOARD_MM];
  const [cx, cy] = [x + hand.right_mm / BOARD_MM, y - hand.up_mm / BOARD_MM];
  return (
    <svg
      viewBox={`${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}`}
      role="img"
      aria-label={t("coach.board.spoken", { bed: dartName(best.bed) })}
    >
      <circle class="surround" r={EDGE - 0.01} />
      <g class="beds">
        {regions(geometry).map(({ bed, number: sector, ring, path }) => (
          <path
            key={bed}
            class={`${ring} ${ring === "bull" || geometry.numbers.indexOf(sector) % 2 === 0 ? "even" : "odd"}`}
            d={path}
            fill-rule="evenodd"
          />
        ))}
      </g>
      {geometry.numbers.map((sector, i) => {
        const [left, top] = polar(1.122, (i * Math.PI) / 10);
        return (
          <text key={sector} x={left} y={top}>
            {sector}
          </text>
        );
      })}
      <g class="scatter" transform={`translate(${cx} ${cy}) rotate(${turn})`}>
        {[2, 1].map((times) => (
          <ellipse key={times} rx={(times * long) / BOARD_MM} ry={(times * short) / BOARD_MM} />
        ))}
      </g>
      <g class="aim-point" transform={`translate(${x} ${y})`}>
        <circle r="0.05" />
        <path d="M-.09 0H.09M0-.09V.09" />
      </g>
    </svg>
  );
}
