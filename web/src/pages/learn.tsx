// `/learn`: the lesson of `oche learn`. The board lights what to press; the command itself serves this page.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Dartboard } from "../board/dartboard";
import { bedsOf, type Geometry } from "../geometry";
import { type Key, t } from "../text";
import { Absent } from "./absent";
import { usePolling } from "./polling";

type State = "proven" | "inferred" | "doubted" | "silent" | "unknown";

export interface Lesson {
  /** Buttons are disabled until then. */
  quiet: boolean;
  ask: { name: string; why: "new" | "check" | "again" | "single" | "button"; hold: boolean } | null;
  presses: number;
  /** How many presses of beds are left at most, if there are no more surprises. */
  left: number;
  last: string;
  beds: Record<string, State>;
  file: string;
  problems: string[];
}

const STATES: State[] = ["proven", "inferred", "doubted", "silent", "unknown"];
const POLL_MS = 200;

export function LearnPage({ geometry }: { geometry: Geometry }) {
  const [lesson, setLesson] = useState<Lesson>();
  const { isAway, isAbsent } = usePolling("/lesson.json", POLL_MS, async (answer) => {
    setLesson((await answer.json()) as Lesson);
    return false;
  });
  if (!lesson && isAbsent) return <Absent what="learn" command="oche learn /dev/ttyUSB0 --http 8090" />;
  if (!lesson) return <p class="first">{t("connecting")}</p>;
  const send = async (what: "skip" | "undo") => {
    const answer = await fetch(`/lesson/${what}`, { method: "POST" });
    setLesson((await answer.json()) as Lesson);
  };
  return <LessonView geometry={geometry} lesson={lesson} isAway={isAway} send={(what) => void send(what)} />;
}

interface Props {
  geometry: Geometry;
  lesson: Lesson;
  isAway: boolean;
  send: (what: "skip" | "undo") => void;
  /** More buttons. */
  children?: ComponentChildren;
}

/** The lesson itself, also as a step of the first run. */
export function LessonView({ geometry, lesson, isAway, send, children }: Props) {
  const { quiet, ask, beds, presses, left } = lesson;
  const button = ask?.name.startsWith("button:");
  return (
    <div class="page learn">
      {isAway && (ask || quiet) && (
        <p class="banner lost" role="alert">
          <span class="pulse" />
          {t("reconnecting")}
        </p>
      )}
      <header class="bar">
        <p class="brand">oche</p>
        <p>
          {t("learn.presses", { count: presses })}
          {ask && left > 0 && ` · ${t("learn.left", { count: left })}`}
        </p>
      </header>
      <main>
        <h1 class="spoken">{t("learn.title")}</h1>
        <p class="asked" role="status" aria-live="assertive">
          {quiet ? t("learn.quiet") : ask ? sentence(ask) : t("learn.done", { file: lesson.file })}
        </p>
        {lesson.problems.map((problem) => (
          <p key={problem} class="problem">
            {problem}
          </p>
        ))}
        <div class="learnt">
          <style>{paint(beds)}</style>
          <Dartboard geometry={geometry} lit={{ targets: ask && !button ? [ask.name] : [] }} />
        </div>
        <ul class="legend">
          {STATES.map((state) => (
            <li key={state} class={state}>
              {t(`learn.${state}` as Key)} {Object.values(beds).filter((s) => s === state).length}
            </li>
          ))}
        </ul>
      </main>
      {(ask || quiet) && (
        <nav class="answers">
          <button type="button" disabled={quiet} onClick={() => send("skip")}>
            {t(button ? "learn.no-button" : "learn.skip")}
          </button>
          <button type="button" disabled={quiet || presses === 0} onClick={() => send("undo")}>
            {t("learn.undo")}
          </button>
          {children}
        </nav>
      )}
    </div>
  );
}

function sentence({ name, why, hold }: NonNullable<Lesson["ask"]>): string {
  if (name.startsWith("button:")) return t("learn.button", { name: name.slice(7) });
  const [, ring = "", number = ""] = /^([A-Z]+)(\d*)$/.exec(name) ?? [];
  const bed = t(`learn.bed.${ring}` as Key, { number });
  return t(hold ? "learn.hold" : why === "again" ? "learn.again" : "learn.press", { bed });
}

/** Known beds are brighter: a rule for each state. */
function paint(beds: Record<string, State>): string {
  return STATES.filter((state) => state !== "unknown")
    .map((state) => {
      const names = Object.keys(beds).filter((bed) => beds[bed] === state);
      const paths = names.flatMap(bedsOf).map((bed) => `.learnt path[data-bed="${bed}"]:not(.lit)`);
      return paths.length ? `${paths.join(",")}{fill:var(--${state})}` : "";
    })
    .join("");
}
