// Speaks a call: with the files of a caller's pack, and with the browser's voice where the pack has none.
import { request } from "../history/request";
import { language } from "../text";
import type { Speak } from "./call-queue";
import { type Pack, stepsOf } from "./pack";

/** Some browsers never say that they have spoken. */
const LOOK_MS = 100;
const LONGEST_MS = 15_000;

export async function fetchPacks(): Promise<Pack[]> {
  // Without an answer the browser's voice is enough.
  return (await request<Pack[]>("/callers.json")).value ?? [];
}

export function speaker(pack: () => Pack | undefined): Speak {
  return (call) => {
    let stopped = false;
    let stopStep: () => void = () => undefined;
    const done = (async () => {
      for (const step of stepsOf(call, pack())) {
        if (stopped) return;
        const ended = "file" in step ? play(step.file) : say(step.text);
        stopStep = ended.stop;
        await ended.done;
      }
    })();
    return {
      done,
      stop: () => {
        stopped = true;
        stopStep();
      },
    };
  };
}

function play(file: string): ReturnType<Speak> {
  const audio = new Audio(file);
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  audio.onended = audio.onerror = end;
  const timer = setTimeout(end, LONGEST_MS);
  audio.play().catch(end);
  return {
    done: done.finally(() => clearTimeout(timer)),
    stop: () => {
      audio.pause();
      end();
    },
  };
}

function say(text: string): ReturnType<Speak> {
  const voice = globalThis.speechSynthesis;
  if (!voice) return { done: Promise.resolve(), stop: () => undefined };
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language;
  let end: () => void = () => undefined;
  const done = new Promise<void>((resolve) => (end = resolve));
  words.onend = words.onerror = end;
  voice.speak(words);
  const began = Date.now();
  const timer = setInterval(() => {
    if (!(voice.speaking || voice.pending) || Date.now() - began > LONGEST_MS) end();
  }, LOOK_MS);
  return {
    done: done.finally(() => clearInterval(timer)),
    stop: () => {
      voice.cancel();
      end();
    },
  };
}
