// `/board/<board>`: the scoreboard, for a television. It only looks; what is to be done is done on the control page.
import type { ComponentChildren } from "preact";
import { dartLabels, Picture } from "../board/picture";
import { scoreboardOf } from "../games";
import { Colours } from "../games/colours";
import { onFixedSides, ownFirst } from "../games/seats";
import { type Geometry, placeTitle } from "../geometry";
import { Spoken } from "../heard/spoken";
import { IdlePage } from "../idle/idle-page";
import type { Match } from "../match";
import { ResultPage } from "../result/result-page";
import { useResult } from "../result/use-result";
import { ShownByRules } from "../sound/shown";
import { type People, usePeople } from "../sound/people";
import { SoundButtons } from "../sound/sound-buttons";
import { useWalkOn, WalkOn } from "../sound/walk-on";
import { type BoardClient, useBus } from "../board-client";
import { added, t } from "../text";
import { Banner } from "./banner";
import { ChanceLine } from "./chance";
import { LayoutButton, useLayout } from "./layout";
import { Flash } from "./flash";
import { controlOf, isOnlyLocal } from "./join";
import { useWakeLock } from "./wake-lock";
import { Newcomers } from "./newcomers";
import { NotFound } from "./not-found";
import { QrCode } from "./qr";
import { TurnStrip } from "./turn";

export function ScoreboardPage({ client, geometry }: { client: BoardClient; geometry: Geometry }) {
  useBus(client.bus);
  useWakeLock();
  const { match, live } = client;
  const people = usePeople(match?.players.map(({ name }) => name) ?? [], match?.match);
  const walking = useWalkOn(client);
  const ended = useResult(match, live);
  const [layout, changeLayout] = useLayout();
  const board = match && scoreboardOf(match.game);
  const alone = board?.scoresAlone === true && layout === "scores";
  if (client.unknown) return <NotFound board={client.board} />;
  return (
    <div class="page tv">
      <Banner client={client} />
      <main
        class={["stage", !live && "stale", board?.wide && "wide", alone && "scores", ended && "ended"]
          .filter(Boolean)
          .join(" ")}
        aria-busy={!live}
        data-revision={match?.revision}
      >
        {match ? (
          <Colours.Provider value={people}>
            <Playing client={client} match={match} geometry={geometry} people={people} walking={walking}>
              {board?.scoresAlone && <LayoutButton layout={layout} onChange={changeLayout} />}
            </Playing>
          </Colours.Provider>
        ) : (
          <IdlePage client={client} geometry={geometry} />
        )}
        {match && !ended && <ChanceLine match={match} />}
        {ended && <ResultPage client={client} ended={ended} geometry={geometry} />}
      </main>
      {match && live && <Spoken match={match} geometry={geometry} />}
      <Newcomers client={client} short />
      <ShownByRules client={client} />
      <WalkOn player={walking} people={people} />
    </div>
  );
}

interface PlayingProps {
  client: BoardClient;
  match: Match;
  geometry: Geometry;
  people: People;
  /** Whose first turn has just begun. */
  walking: string | undefined;
  /** In a corner of the board. */
  children: ComponentChildren;
}

function Playing({ client, match, geometry, people, walking, children }: PlayingProps) {
  const { points, turnPoints, scoresAlone, Panel } = scoreboardOf(match.game);
  const title = (place: string) => placeTitle(geometry, place);
  const labels = dartLabels(match, geometry);
  const thrown = match.turn.darts.length;
  const worth = points ? match.turn.points?.[thrown - 1] : undefined;
  return (
    <>
      <section class="board-place">
        <Picture match={match} geometry={geometry} stuck={client.status?.stuck} />
        {worth !== undefined && (
          <p class={Math.abs(worth) > 99 ? "worth wide" : "worth"} key={`${match.turn.player}-${thrown}`}>
            <span class="spoken">{t("dart.last")} </span>
            {added(worth)}
          </p>
        )}
        {!isOnlyLocal(client) && (
          <div class="join">
            <QrCode text={controlOf(client)} />
          </div>
        )}
        <SoundButtons client={client} title={title} people={people} walking={walking} />
        {children}
        <Flash client={client} title={title} />
      </section>
      <TurnStrip match={match} labels={labels} total={turnPoints?.(match)} control={`/board/${client.board}/control`} />
      <section class="panel" data-game={match.game}>
        <Panel
          match={scoresAlone ? onFixedSides(ownFirst(match, client.board), client.board) : match}
          geometry={geometry}
        />
      </section>
    </>
  );
}
