// `/board/<board>/control`: the remote, for a phone in one hand.
import { useEffect, useState } from "preact/hooks";
import { isReferee } from "../access";
import { dartLabels } from "../board/picture";
import { Answers } from "../control/answers";
import { Chips } from "../control/chips";
import { useCommands } from "../control/commands";
import { Correction } from "../control/correction";
import { EarlierDarts } from "../control/earlier";
import { MarksOfAll } from "../control/marks";
import { Outcome } from "../control/outcome";
import { ThrowPad } from "../control/pad";
import { roomOf } from "../control/room";
import { Seat, useSeat } from "../control/hand";
import { hintWords, useHint } from "../control/hint";
import { RulesButton } from "../control/rules";
import { rightsOf } from "../control/rights";
import { Score } from "../control/score";
import { StartForm } from "../control/start";
import { Stop } from "../control/stop";
import { Whose, whyReserved } from "../control/whose";
import { gameTitle } from "../game-title";
import { scoreboardOf } from "../games";
import type { Geometry } from "../geometry";
import type { Awaits } from "../match";
import { NumberedChoices, Spoken } from "../heard/spoken";
import { rematchOf } from "../result/rematch";
import { type BoardClient, useBus } from "../board-client";
import { dartName, t } from "../text";
import { Banner } from "./banner";
import { TurnClock } from "./clock";
import { LanguageChoice } from "./language";
import { More } from "./more";
import { Newcomers } from "./newcomers";
import { NotFound } from "./not-found";
import { AtBoard, awaited } from "./turn";

/** While a choice or a move is awaited, the touch board is hidden. */
const ASKING: Awaits[] = ["choose", "move", "combat", "defend"];

/** Sentences with more letters than these are set narrower, so that they have two lines at most. */
const LETTERS = [34, 48] as const;

function lengthOf(words: string): "short" | "long" | "longest" {
  return words.length > LETTERS[1] ? "longest" : words.length > LETTERS[0] ? "long" : "short";
}

/** A dart that is being corrected. */
interface Wrong {
  /** From 1. */
  number: number;
  /** What is asked. */
  title: string;
  /** How many turns ago it was thrown, if it was not in this one, and what was scored then. */
  back?: number;
  dart?: string;
}

export function ControlPage({ client, geometry }: { client: BoardClient; geometry: Geometry }) {
  useBus(client.bus);
  const { send, busy, refused, dismiss } = useCommands(client);
  const [correcting, setCorrecting] = useState<Wrong>();
  const [starting, setStarting] = useState(false);
  const [reached, setReached] = useState(false);
  const seat = useSeat(client);
  const { offered, ask, hint, refused: noHint } = useHint(client, seat);
  const { match, live } = client;
  // The form of a new match is long: the match begins at its top.
  const playing = match !== undefined && !starting;
  useEffect(() => scrollTo(0, 0), [playing]);
  // From the first connection on the form stays, off while there is none: what was typed would be lost with it.
  useEffect(() => setReached((before) => before || live), [live]);
  // Which dart is meant counts from the turn: in the next one it would be another.
  useEffect(() => setCorrecting(undefined), [match?.match, match?.round, match?.turn.player]);
  if (client.unknown) return <NotFound board={client.board} />;
  const rights = rightsOf(client.player, match);
  const blocked = busy || !live || !rights.acts;
  const reserved = busy || !live || !rights.referee;
  const whyOff = whyReserved(rights);
  const moving = match?.turn.awaits === "move";
  const throwing = match?.turn.awaits === "throw";
  const ends = match?.turn.ends;
  const { Control, Aside, hands, front } = scoreboardOf(match?.game ?? "");
  const labels = match ? dartLabels(match, geometry) : [];
  const held = match && !match.finished && hands?.(match);
  const wrong = correcting && (correcting.dart ?? match?.turn.darts[correcting.number - 1]);
  const asked = match && !match.finished && (
    <>
      {held && client.player === undefined && <Seat match={match} seat={seat} />}
      {Control && (
        <Control
          match={match}
          geometry={geometry}
          send={send}
          busy={blocked}
          hand={seat.hand}
          front={front?.(match, geometry)}
        />
      )}
    </>
  );
  return (
    <div class="page control">
      <Banner client={client} />
      <header class="bar">
        <a class="brand" href="/?all">
          oche<span class="spoken">, {t("home")}</span>
        </a>
        <h1>
          <span>{client.board}</span>
          {match && <span> · {gameTitle(match.game)}</span>}
        </h1>
        <LanguageChoice />
      </header>
      {match && live && <Spoken match={match} geometry={geometry} />}
      {match && live && <NumberedChoices revision={match.revision} busy={busy} />}
      {isReferee() && <Newcomers client={client} />}
      <div class="refusal" role="alert">
        {refused && (
          <button type="button" onClick={dismiss}>
            {refused} <span aria-hidden="true">✕</span>
          </button>
        )}
      </div>
      {playing ? (
        <main class={live ? "playing" : "playing stale"} data-revision={match.revision} style={roomOf(match)}>
          <Score match={match} me={rights.me} />
          <Whose match={match} rights={rights} />
          <div class="now">
            <RulesButton game={match.game} />
            <p class={match.finished ? "awaits won" : "awaits"} data-length={lengthOf(awaited(match))}>
              {awaited(match)}
              <AtBoard match={match} />
              <TurnClock match={match} />
            </p>
            {!match.finished && (
              <button type="button" class="quiet" disabled={blocked || !offered} onClick={() => void ask()}>
                {t("hint")}
              </button>
            )}
          </div>
          <p class="hint" role="status">
            {hint ? hintWords(match, geometry, hint) : noHint}
          </p>
          <Chips
            match={match}
            labels={labels}
            disabled={busy || !live || !rights.corrects || match.finished}
            onPick={(n, bed) => setCorrecting({ number: n, title: t("correct.title", { n, bed }) })}
          />
          <div class="entry">
            <Answers match={match} send={send} busy={blocked} />
            {!(held && throwing) && asked}
            {match.finished ? (
              !match.houses && (
                <button
                  type="button"
                  class="primary big"
                  disabled={reserved}
                  aria-describedby={whyOff}
                  onClick={() => send({ start: rematchOf(match) })}
                >
                  {t("control.rematch")}
                </button>
              )
            ) : ASKING.includes(match.turn.awaits) ? null : (
              <ThrowPad
                geometry={geometry}
                match={match}
                disabled={blocked || !throwing}
                blocked={blocked}
                send={send}
                mark={hint?.aim?.at}
                onThrow={(dart) => send({ throw: dart })}
              />
            )}
            {held && throwing && asked}
          </div>
          <MarksOfAll match={match} />
          <Outcome match={match} />
          {Aside && <Aside match={match} geometry={geometry} />}
          <EarlierDarts
            match={match}
            rights={rights}
            disabled={busy || !live}
            onPick={({ back, player, darts }, number) => {
              const bed = darts[number - 1] ?? "";
              const title = t("earlier.title", { n: number, name: player, bed: dartName(bed) });
              setCorrecting({ number, title, back, dart: bed });
            }}
          />
          {!match.finished && <Stop disabled={reserved} why={whyOff} onStop={() => send({ stop: true })} />}
          <More client={client} disabled={reserved} send={send} />
          <nav class={match.finished ? "thumbs over" : "thumbs"}>
            <button type="button" disabled={reserved} aria-describedby={whyOff} onClick={() => send({ undo: true })}>
              {t("control.undo")}
            </button>
            {match.finished ? (
              <button type="button" onClick={() => setStarting(true)}>
                {t("control.new")}
              </button>
            ) : (
              <>
                <button type="button" disabled={blocked || !throwing} onClick={() => send({ throw: "MISS" })}>
                  {t("control.miss")}
                </button>
                <button type="button" disabled={blocked || !throwing} onClick={() => send({ bounce: true })}>
                  {t("control.bounce")}
                </button>
                <button
                  type="button"
                  class={ends && (match.turn.awaits === "next" || moving) ? "primary" : ""}
                  disabled={blocked || !ends}
                  onClick={() => ends && send(ends === "done" ? { done: true } : { next: true })}
                >
                  {t(moving ? "control.done" : "control.next")}
                </button>
              </>
            )}
          </nav>
        </main>
      ) : (
        (live || reached || starting) && (
          <StartForm
            disabled={reserved}
            why={rights.why}
            can={client.status?.can}
            here={client.board}
            boards={client.boards}
            onStart={async (start) => {
              if (await send({ start })) setStarting(false);
            }}
            onFair={(fair) => client.command({ fair })}
            onCancel={match ? () => setStarting(false) : undefined}
          />
        )
      )}
      {(!match || starting) && <More client={client} disabled={reserved} send={send} />}
      {match && correcting && wrong !== undefined && (
        <Correction
          geometry={geometry}
          match={match}
          title={correcting.title}
          dart={wrong}
          onClose={() => setCorrecting(undefined)}
          onCorrect={(to) => {
            const { number, back } = correcting;
            setCorrecting(undefined);
            void send({ correct: { dart: number, ...(back && { back }), ...to } });
          }}
        />
      )}
    </div>
  );
}
