// `/board/<board>`: the scoreboard, for a television. It only looks; what is to be done is done on the control page.
import { Dartboard } from "../board/dartboard";
import { placed } from "../board/darts";
import { scoreboardOf } from "../games";
import type { Geometry } from "../geometry";
import type { Match } from "../match";
import { type Table, useBus } from "../table";
import { t } from "../text";
import { Banner } from "./banner";
import { Flash, useLastPoints } from "./flash";
import { NotFound } from "./not-found";
import { QrCode } from "./qr";
import { Spoken, TurnStrip } from "./turn";

export function ScoreboardPage({ table, geometry }: { table: Table; geometry: Geometry }) {
  useBus(table.bus);
  const { match, live } = table;
  if (table.unknown) return <NotFound board={table.board} />;
  return (
    <div class="page tv">
      <Banner table={table} />
      <main class={live ? "stage" : "stage stale"} aria-busy={!live}>
        {match ? (
          <Playing table={table} match={match} geometry={geometry} />
        ) : (
          <Empty table={table} geometry={geometry} />
        )}
      </main>
      {match && live && <Spoken match={match} />}
    </div>
  );
}

function Playing({ table, match, geometry }: { table: Table; match: Match; geometry: Geometry }) {
  const { lit, points, turnPoints, Panel } = scoreboardOf(match.game);
  const dart = match.turn.darts.at(-1);
  const told = useLastPoints(table);
  const worth = dart === undefined || !points ? undefined : (told ?? pointsOf(dart, geometry));
  return (
    <>
      <section class="board-place">
        <Dartboard geometry={geometry} lit={match.finished ? {} : lit?.(match)} darts={placed(match.turn, geometry)} />
        {worth !== undefined && (
          <p class="last" key={`${match.revision}`}>
            <span class="spoken">{t("dart.last")} </span>
            {worth}
          </p>
        )}
        <Flash table={table} />
      </section>
      <TurnStrip match={match} total={turnPoints?.(match)} control={`/board/${table.board}/control`} />
      <section class="panel" data-game={match.game}>
        <Panel match={match} />
      </section>
    </>
  );
}

/** What a bed is worth on the board; a dart of which only the points are known is written as these. */
function pointsOf(dart: string, geometry: Geometry): number | undefined {
  if (dart === "FOUL") return 0;
  return geometry.beds[dart]?.points ?? (/^\d+$/.test(dart) ? Number(dart) : undefined);
}

function Empty({ table, geometry }: { table: Table; geometry: Geometry }) {
  const address = `${location.origin}/board/${table.board}/control`;
  const here = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
  return (
    <>
      <section class="board-place resting">
        <Dartboard geometry={geometry} />
      </section>
      {table.live && (
        <section class="panel empty">
          <p class="brand">oche</p>
          <h1>{t("empty.title")}</h1>
          <p>{t(here ? "empty.here" : "empty.tv")}</p>
          {!here && <QrCode text={address} />}
          <p class="address">
            <a href={address}>{address.replace(/^https?:\/\//, "")}</a>
          </p>
        </section>
      )}
    </>
  );
}
