// The end of a leg, a set or a match: who won and how, and what can follow.
import type { ComponentType } from "preact";
import { useState } from "preact/hooks";
import { isReferee } from "../access";
import type { BoardClient } from "../board-client";
import { useCommands } from "../control/commands";
import type { Correction as CorrectionDialog } from "../control/correction";
import { scoreboardOf } from "../games";
import { unitOf } from "../games/unit";
import { gameTitle } from "../game-title";
import { onlyPlayer } from "../games/alone";
import { EarnedNow, Records, useRecords } from "../games/records";
import type { Geometry } from "../geometry";
import type { Match } from "../match";
import { dartName, points, t } from "../text";
import { Curve } from "./curve";
import { Figures } from "./figures";
import { rematchOf } from "./rematch";
import { Reached } from "./reached";
import { type Ended, standing } from "./result";

/** Beyond this number of sides the rows take the room of the curve. */
const SIDES_WITH_CURVE = 4;

/** Games that are decided by a dart which is not one of the turn's, such as that of a combat. */
const OTHER_LAST_DART = new Set(["dart_wars"]);

type Dialog = Parameters<typeof CorrectionDialog>[0];

interface Props {
  client: BoardClient;
  ended: Ended;
  geometry: Geometry;
}

export function ResultPage({ client, ended, geometry }: Props) {
  const { match, result } = ended;
  const { of, winners, bed, points: worth, checkout, leg_darts: darts } = result;
  const sides = standing(ended);
  const records = useRecords(match);
  const board = scoreboardOf(match.game);
  // The partners of a team win together; others share.
  const teamOf = (name: string) => match.players.find((player) => player.name === name)?.team ?? name;
  const shared = new Set(winners.map(teamOf)).size > 1;
  const title = board.heading?.(match) ?? match.title ?? gameTitle(match.game);
  const { legs = 1, sets: setsToWin = 1 } = match.to_win ?? {};
  const only = of === "match" ? onlyPlayer(match) : undefined;
  const names = winners.join(" & ");
  const headline = only ? points(only.score) : names;
  return (
    <section
      class={["result", sides.length > SIDES_WITH_CURVE && "crowded", only && "alone"].filter(Boolean).join(" ")}
      data-of={of}
      style={{ "--letters": headline.length }}
    >
      <header>
        <p class="match">{title}</p>
        <EarnedNow records={records ?? []} />
        <p class="of">{only ? t("flash.alone", { name: only.name }) : t(shared ? "result.shared" : `result.${of}`)}</p>
        <h1>{headline}</h1>
        {bed !== undefined && (
          <p class="shot">
            <b>{dartName(bed)}</b>
            {worth !== undefined && worth !== checkout && <span>{t("result.points", { n: worth })}</span>}
            {checkout !== undefined && <span>{t("result.checkout", { n: checkout })}</span>}
            {darts !== undefined && <span>{t("result.leg_darts", { n: darts })}</span>}
          </p>
        )}
      </header>
      {only ? (
        <Reached figures={board.reached?.(only) ?? []} records={records} />
      ) : (
        <>
          <Figures
            sides={sides}
            unit={unitOf(match)}
            won={sides.filter(({ name }) => name.split(" & ").some((one) => winners.includes(one))).length}
            without={[
              ...(setsToWin === 1 ? (["x01.sets"] as const) : []),
              ...(of === "match" && legs === 1 && setsToWin === 1 ? (["x01.legs"] as const) : []),
            ]}
          />
          {sides.length <= SIDES_WITH_CURVE && <Curve sides={sides} />}
          <Records match={match} records={records ?? []} />
        </>
      )}
      {isReferee() && <Next client={client} match={match} geometry={geometry} gone={ended.left !== undefined} />}
    </section>
  );
}

/** What can follow. `gone`: the next leg has begun, and only a dart is awaited. */
function Next({
  client,
  match,
  geometry,
  gone,
}: {
  client: BoardClient;
  match: Match;
  geometry: Geometry;
  gone: boolean;
}) {
  const { send, busy, refused, dismiss } = useCommands(client);
  const [Correction, setCorrection] = useState<ComponentType<Dialog>>();
  const last = match.turn.darts.length;
  const dart = OTHER_LAST_DART.has(match.game) ? undefined : match.turn.darts[last - 1];
  const off = busy || !client.live;
  const next = nextOfMedley(match);
  if (gone) return <p class="awaits">{t("result.next_leg")}</p>;

  async function open() {
    const { Correction: dialog } = await import("../control/correction");
    setCorrection(() => dialog);
  }

  /** A match that is over is opened again first, and ends again if the correction is refused. */
  async function correct(to: Parameters<Dialog["onCorrect"]>[0]) {
    setCorrection(undefined);
    const { finished } = match;
    if (finished && !(await send({ undo: true }))) return;
    const corrected = await send({ correct: { dart: last, ...to } });
    if (finished && !corrected) await send({ next: true }, { keepRefusal: true });
  }

  /** A match whose last turn is open ends first. */
  async function rematch() {
    if (!match.finished && !(await send({ next: true }))) return;
    await send({ start: rematchOf(match) });
  }

  return (
    <nav class="after" aria-label={t("result.after")}>
      {refused !== undefined && (
        <button type="button" class="refused" onClick={dismiss}>
          {refused}
        </button>
      )}
      {match.result?.of === "match" ? (
        <button type="button" class="primary" disabled={off} onClick={() => void rematch()}>
          {t("control.rematch")}
        </button>
      ) : (
        <button type="button" class="primary" disabled={off} onClick={() => void send({ next: true })}>
          {next === undefined ? t("result.next") : t("result.next_game", { game: gameTitle(next) })}
        </button>
      )}
      {dart !== undefined && (
        <button type="button" disabled={off} onClick={() => void open()}>
          {t("result.correct", { bed: dartName(dart) })}
        </button>
      )}
      <a class="button" href={`/board/${client.board}/control`}>
        {t("open.control")}
      </a>
      {Correction && dart !== undefined && (
        <Correction
          geometry={geometry}
          match={match}
          title={t("correct.title", { n: last, bed: dartName(dart) })}
          dart={dart}
          onClose={() => setCorrection(undefined)}
          onCorrect={(to) => void correct(to)}
        />
      )}
    </nav>
  );
}

/** The game of the next leg of a medley, `choice` where it is chosen; undefined in any other match. */
function nextOfMedley({ leg, options = {} }: Match): string | undefined {
  const next = leg !== undefined && Array.isArray(options["legs"]) ? (options["legs"] as unknown[])[leg] : undefined;
  return typeof next === "string" ? next : (next as { game?: string } | undefined)?.game;
}
