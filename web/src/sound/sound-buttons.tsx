// Sound and a spoken caller, each off by default: switched on by its button, or by `?sound` and `?caller`.
import { useEffect, useRef, useState } from "preact/hooks";
import type { BoardClient } from "../board-client";
import { language, t } from "../text";
import { called, withoutRepeats, soundOf, type Title } from "./announcements";
import { fileOf } from "./files";
import { play, wakeSound } from "./sounds";

/** How many announcements may wait; beyond it the oldest are dropped. */
const MAX_WAITING = 2;

function useSwitch(name: "sound" | "caller"): [boolean, () => void] {
  const [on, setOn] = useState(
    () => new URLSearchParams(location.search).has(name) || localStorage.getItem(`oche.${name}`) === "on",
  );
  return [
    on,
    () => {
      localStorage.setItem(`oche.${name}`, on ? "off" : "on");
      setOn(!on);
    },
  ];
}

function say(text: string): void {
  const voice = globalThis.speechSynthesis;
  if (!voice) return;
  waiting = voice.speaking || voice.pending ? waiting + 1 : 0;
  if (waiting > MAX_WAITING) {
    voice.cancel();
    waiting = 0;
  }
  const words = new SpeechSynthesisUtterance(text);
  words.lang = language;
  voice.speak(words);
}

let waiting = 0;

export function SoundButtons({ client, title }: { client: BoardClient; title: Title }) {
  const [sound, toggleSound] = useSwitch("sound");
  const [caller, toggleCaller] = useSwitch("caller");
  // The names of places follow the match; the subscription need not.
  const titleRef = useRef(title);
  titleRef.current = title;
  useEffect(() => {
    if (!sound && !caller) return undefined;
    // If the browser allows sound without a touch, as in a kiosk, even the first dart is audible.
    if (sound) void wakeSound();
    const announced = withoutRepeats();
    const endShow = client.onShow((shown) => {
      if (sound && shown.sound) void new Audio(fileOf(shown.sound)).play().catch(() => undefined);
      if (caller && shown.words) say(shown.words);
    });
    const endEvents = client.onEvent((event) => {
      const news = announced(event);
      const soundName = sound && news ? soundOf(news) : undefined;
      if (soundName) play(soundName);
      const words = caller && news ? called(news, titleRef.current) : undefined;
      if (words !== undefined) say(words);
    });
    return () => {
      endShow();
      endEvents();
    };
  }, [client, sound, caller]);
  return (
    <span class="sound-buttons">
      <button type="button" aria-pressed={caller} onClick={toggleCaller}>
        {t("caller")}
      </button>
      <button
        type="button"
        aria-pressed={sound}
        onClick={() => {
          if (!sound) void wakeSound();
          toggleSound();
        }}
      >
        {t("sound")}
      </button>
    </span>
  );
}
