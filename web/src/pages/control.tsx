// `/board/<board>/control`: the remote, for a phone in one hand.
import { useState } from "preact/hooks";
import { Answers } from "../control/answers";
import { useCommands } from "../control/commands";
import { Correction } from "../control/correction";
import { ThrowPad } from "../control/pad";
import { Score } from "../control/score";
import { StartForm } from "../control/start";
import { scoreboardOf } from "../games";
import { gameTitle } from "../games/generic";
import type { Geometry } from "../geometry";
import { type Table, useBus } from "../table";
import { dartName, t } from "../text";
import { Banner } from "./banner";
import { LanguageChoice } from "./language";
import { NotFound } from "./not-found";
import { awaited, places, Spoken } from "./turn";

export function ControlPage({ table, geometry }: { table: Table; geometry: Geometry }) {
  useBus(table.bus);
  const { send, busy, refused, forget } = useCommands(table);
  const [correcting, setCorrecting] = useState<number>();
  const [starting, setStarting] = useState(false);
  const { match, live } = table;
  if (table.unknown) return <NotFound board={table.board} />;
  const blocked = busy || !live;
  const throwing = match?.turn.awaits === "throw";
  const Control = match && scoreboardOf(match.game).Control;
  return (
    <div class="page control">
      <Banner table={table} />
      <header class="bar">
        <a class="brand" href="/?all" aria-label={t("home")}>
          oche
        </a>
        <h1>{match ? `${table.board} · ${gameTitle(match.game)}` : table.board}</h1>
        <LanguageChoice />
      </header>
      {match && live && <Spoken match={match} />}
      <div class="refusal" role="alert">
        {refused && (
          <button type="button" onClick={forget}>
            {refused} <span aria-hidden="true">✕</span>
          </button>
        )}
      </div>
      {match && !starting ? (
        <main class={live ? "playing" : "playing stale"}>
          <Score match={match} />
          <p class={match.finished ? "awaits won" : "awaits"}>{awaited(match)}</p>
          <fieldset class="chips" aria-label={t("correct.hint")}>
            {places(match).map((dart, i) =>
              dart === undefined ? (
                <span class="chip open" key={`${i}-open`}>
                  <span class="spoken">{t("dart.open", { n: i + 1 })}</span>
                  <span aria-hidden="true">{i + 1}</span>
                </span>
              ) : (
                <button
                  type="button"
                  class="chip"
                  key={`${i}-${dart}`}
                  disabled={blocked || match.finished}
                  aria-label={t("dart.correct", { n: i + 1, bed: dartName(dart) })}
                  onClick={() => setCorrecting(i)}
                >
                  {dartName(dart)}
                </button>
              ),
            )}
          </fieldset>
          <Answers match={match} send={send} busy={blocked} />
          {Control && <Control match={match} send={send} busy={blocked} />}
          {match.finished ? (
            <button type="button" class="primary big" onClick={() => setStarting(true)}>
              {t("control.new")}
            </button>
          ) : (
            <ThrowPad
              geometry={geometry}
              match={match}
              disabled={blocked || !throwing}
              onThrow={(bed) => send({ throw: bed })}
            />
          )}
          <Stop disabled={blocked} onStop={() => send({ stop: true })} />
          <nav class="thumbs">
            <button type="button" disabled={blocked} onClick={() => send({ undo: true })}>
              {t("control.undo")}
            </button>
            <button type="button" disabled={blocked || !throwing} onClick={() => send({ throw: "MISS" })}>
              {t("control.miss")}
            </button>
            <button type="button" disabled={blocked || !throwing} onClick={() => send({ bounce: true })}>
              {t("control.bounce")}
            </button>
            <button
              type="button"
              class={match.turn.awaits === "next" ? "primary" : ""}
              disabled={blocked || match.finished}
              onClick={() => send({ next: true })}
            >
              {t("control.next")}
            </button>
          </nav>
        </main>
      ) : (
        (live || starting) && (
          <StartForm
            disabled={blocked}
            onStart={async (start) => {
              if (await send({ start })) setStarting(false);
            }}
            onCancel={match ? () => setStarting(false) : undefined}
          />
        )
      )}
      {match && correcting !== undefined && match.turn.darts[correcting] !== undefined && (
        <Correction
          geometry={geometry}
          number={correcting + 1}
          dart={match.turn.darts[correcting]}
          onClose={() => setCorrecting(undefined)}
          onCorrect={(bed) => {
            setCorrecting(undefined);
            void send({ correct: { dart: correcting + 1, throw: bed } });
          }}
        />
      )}
    </div>
  );
}

/** Ends the match after a second thought. */
function Stop({ disabled, onStop }: { disabled: boolean; onStop: () => void }) {
  const [sure, setSure] = useState(false);
  if (!sure) {
    return (
      <p class="stop">
        <button type="button" class="quiet" disabled={disabled} onClick={() => setSure(true)}>
          {t("control.stop")}
        </button>
      </p>
    );
  }
  return (
    <p class="stop sure">
      <span>{t("control.stop.sure")}</span>
      <button type="button" onClick={() => setSure(false)}>
        {t("control.cancel")}
      </button>
      <button type="button" class="danger" disabled={disabled} onClick={onStop}>
        {t("control.stop")}
      </button>
    </p>
  );
}
