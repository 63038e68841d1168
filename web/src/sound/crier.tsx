// Sound and a spoken caller, each off by default: switched on by its button, or by `?sound` and `?caller`.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Table } from "../table";
import { language, t } from "../text";
import { called, decider, soundOf, type Title } from "./news";
import { play, wakeSound } from "./sounds";

/** How many announcements may wait; beyond it the oldest are dropped. */
const WAITING = 2;

function useAsked(name: "sound" | "caller"): [boolean, () => void] {
  const [asked, setAsked] = useState(
    () => new URLSearchParams(location.search).has(name) || localStorage.getItem(`oche.${name}`) === "on",
  );
  return [
    asked,
    () => {
      localStorage.setItem(`oche.${name}`, asked ? "off" : "on");
      setAsked(!asked);
    },
  ];
}

function say(text: string): void {
  const voice = globalThis.speechSynthesis;
  if (!voice) return;
  waiting = voice.speaking || voice.pending ? waiting + 1 : 0;
  if (waiting > WAITING) {
    voice.cancel();
    waiting = 0;
  }
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language;
  voice.speak(words);
}

let waiting = 0;

export function Crier({ table, title }: { table: Table; title: Title }) {
  const [sound, askSound] = useAsked("sound");
  const [caller, askCaller] = useAsked("caller");
  // Where places are named follows the match; the subscription need not.
  const named = useRef(title);
  named.current = title;
  useEffect(() => {
    if (!sound && !caller) return undefined;
    // If the browser allows sound without a touch, as in a kiosk, even the first dart is audible.
    if (sound) void wakeSound();
    const decided = decider();
    return table.onEvent((event) => {
      const news = decided(event);
      const noise = sound ? soundOf(event) : undefined;
      if (noise) play(noise);
      const words = caller && news ? called(news, named.current) : undefined;
      if (words !== undefined) say(words);
    });
  }, [table, sound, caller]);
  return (
    <span class="crier">
      <button type="button" aria-pressed={caller} onClick={askCaller}>
        {t("caller")}
      </button>
      <button
        type="button"
        aria-pressed={sound}
        onClick={() => {
          if (!sound) void wakeSound();
          askSound();
        }}
      >
        {t("sound")}
      </button>
    </span>
  );
}
