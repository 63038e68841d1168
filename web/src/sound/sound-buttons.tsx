// Sound and a spoken caller, each off by default: switched by its button or a phone; until then `?sound` and `?caller` switch it on.
import { useEffect, useRef } from "preact/hooks";
import type { BoardClient } from "../board-client";
import { isAlone } from "../games/alone";
import type { MatchEvent } from "../match";
import { t } from "../text";
import { withoutRepeats, soundOf, type Title } from "./announcements";
import { CallQueue } from "./call-queue";
import { CallerButton, usePacks } from "./caller-button";
import { callOf, callOfRule } from "./calls";
import type { People, Slot } from "./people";
import { fileOf } from "./files";
import { play, type Sound, wakeSound } from "./sounds";
import { useSwitch } from "./switch";
import { speaker } from "./voice";

/** Sounds that a player can have of their own. */
const OWN: Partial<Record<Sound, Slot>> = { maximum: "maximum", checkout: "checkout", bust: "bust", won: "won" };

/** After these, what waits to be called may be wrong. */
const TAKEN_BACK = new Set(["undone", "corrected", "started", "stopped"]);

const ENDS_WALK_ON = new Set(["dart", "started", "stopped"]);

/** The file that a player has in place of a sound. */
function ownSound(people: People, sound: Sound, event: MatchEvent): string | undefined {
  const slot = OWN[sound];
  const player = event.player ?? (Array.isArray(event.winners) ? event.winners[0] : undefined);
  return slot === undefined ? undefined : people[String(player)]?.[slot];
}

function playFile(address: string): HTMLAudioElement {
  const file = new Audio(address);
  void file.play().catch(() => undefined);
  return file;
}

/** Plays a walk-on, one at a time, until the first dart or the end of the match. It can last longer than its picture. */
function useWalkOnSound(client: BoardClient, sound: boolean, address: string | undefined): void {
  const playing = useRef<HTMLAudioElement | undefined>(undefined);
  useEffect(() => {
    if (!sound) return undefined;
    const endEvents = client.onEvent(({ event }) => {
      if (ENDS_WALK_ON.has(event)) playing.current?.pause();
    });
    return () => {
      endEvents();
      playing.current?.pause();
    };
  }, [client, sound]);
  useEffect(() => {
    if (!sound || address === undefined) return;
    playing.current?.pause();
    playing.current = playFile(address);
  }, [sound, address]);
}

interface Props {
  client: BoardClient;
  title: Title;
  people: People;
  /** Whose first turn has just begun. */
  walking: string | undefined;
}

export function SoundButtons({ client, title, people, walking }: Props) {
  const [sound, toggleSound] = useSwitch("sound", client);
  const [caller, toggleCaller] = useSwitch("caller", client);
  const packs = usePacks(caller);
  const packRef = useRef(packs.chosen);
  packRef.current = packs.chosen;
  // The names of places follow the match; the subscription need not.
  const titleRef = useRef(title);
  titleRef.current = title;
  const peopleRef = useRef(people);
  peopleRef.current = people;
  useWalkOnSound(client, sound, walking === undefined ? undefined : people[walking]?.walk_on);
  useEffect(() => {
    if (!sound && !caller) return undefined;
    // If the browser allows sound without a touch, as in a kiosk, even the first dart is audible.
    if (sound) void wakeSound();
    const announced = withoutRepeats(() => isAlone(client.match));
    const calls = new CallQueue(speaker(() => packRef.current));
    const endShow = client.onShow((shown) => {
      if (sound && shown.sound) playFile(fileOf(shown.sound));
      if (caller && shown.words) calls.add(callOfRule(shown.words));
    });
    const endEvents = client.onEvent((event) => {
      if (event.event === "dart") calls.dart();
      if (TAKEN_BACK.has(event.event)) calls.clear();
      const news = announced(event);
      const soundName = sound && news ? soundOf(news) : undefined;
      const own = soundName && news ? ownSound(peopleRef.current, soundName, news) : undefined;
      if (own) playFile(own);
      else if (soundName) play(soundName);
      const call = caller && news ? callOf(news, titleRef.current, client.match) : undefined;
      if (call) calls.add(call);
    });
    return () => {
      endShow();
      endEvents();
      calls.stop();
    };
  }, [client, sound, caller]);
  return (
    <span class="sound-buttons">
      <CallerButton caller={caller} onToggle={toggleCaller} packs={packs} />
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
