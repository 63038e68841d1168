// Matches that are kept on this phone, each with its game and options, and started again by one touch.
import { useState } from "preact/hooks";
import { language, maybe, t } from "../text";
import { type GameAbout, titleOf } from "./catalogue";
import type { Further } from "./in-format";
import type { Option } from "./option";

export interface Preset {
  game: string;
  options: Record<string, unknown>;
  further: Further;
}

const STORED = "oche.presets";
/** With more of them nobody finds one by a glance; the oldest goes. */
const MOST = 8;

function stored(): Preset[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORED) ?? "[]");
    return Array.isArray(found) ? (found as Preset[]).filter(({ game }) => typeof game === "string") : [];
  } catch {
    return [];
  }
}

interface Saved {
  presets: Preset[];
  /** Saves this match, or forgets it if it is saved. */
  toggle: (preset: Preset) => void;
}

const same = (one: Preset, other: Preset) => JSON.stringify(one) === JSON.stringify(other);

export function useSaved(): Saved {
  const [presets, setPresets] = useState(stored);
  return {
    presets,
    toggle: (preset) => {
      const others = presets.filter((one) => !same(one, preset));
      const kept = others.length < presets.length ? others : [...presets, preset].slice(-MOST);
      setPresets(kept);
      localStorage.setItem(STORED, JSON.stringify(kept));
    },
  };
}

interface Props {
  games: GameAbout[];
  presets: Preset[];
  now: Preset;
  onChoose: (preset: Preset) => void;
}

/** The saved matches, each a touch; nothing if none is saved. */
export function Presets({ games, presets, now, onChoose }: Props) {
  const known = presets.filter(({ game }) => games.some(({ name }) => name === game));
  if (known.length === 0) return null;
  return (
    <fieldset class="saved">
      <legend>{t("start.saved")}</legend>
      <div class="row">
        {known.map((preset) => (
          <button
            type="button"
            key={JSON.stringify(preset)}
            aria-pressed={same(preset, now)}
            onClick={() => onChoose(preset)}
          >
            {inWords(preset, games)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

export function KeepButton({ presets, toggle, now }: Saved & { now: Preset }) {
  const isKept = presets.some((one) => same(one, now));
  return (
    <button type="button" class="quiet" onClick={() => toggle(now)}>
      {t(isKept ? "start.forget" : "start.keep")}
    </button>
  );
}

/** The game with what makes it differ: "X01 301, best of 3". */
export function inWords({ game, options, further }: Preset, games: GameAbout[]): string {
  const about = games.find(({ name }) => name === game);
  const { start, legs, sets, best_of: best, ...others } = options;
  const title = [about ? titleOf(about) : game, start].filter((word) => word !== undefined).join(" ");
  const parts = [further.length > 0 ? `${title} +${further.length}` : title];
  const bestOf = typeof legs === "number" && legs > 1 ? 2 * legs - 1 : best;
  if (bestOf !== undefined && typeof bestOf === "number" && bestOf > 1) parts.push(t("x01.best_of", { n: bestOf }));
  if (typeof sets === "number" && sets > 1) parts.push(`${t("x01.sets")} ${sets}`);
  for (const [name, value] of Object.entries(others)) {
    const option = [...(about?.options ?? []), ...(about?.formats ?? [])].find((one) => one.name === name);
    if (typeof value === "string") parts.push(wordOf(option, value));
  }
  return parts.join(" · ");
}

/** The name of an option's value in the page's language, as the form shows it. */
function wordOf(option: Option | undefined, value: string): string {
  return option?.words?.[value]?.[language] ?? maybe(`option.word.${value}`) ?? value.replaceAll("_", " ");
}
