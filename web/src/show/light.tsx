// What a light shows: its address, found in the network or typed, and one of its presets, effects or colors.
import { useEffect, useRef, useState } from "preact/hooks";
import { type FoundLight, findLights, type LightLists, listsOf, type Mistake, type Named } from "./api";
import { type Choice, Field, mistakesAt, NumberField, SelectField, TextField } from "./field";
import type { Wled } from "./rule";
import { w } from "./words";

interface Props {
  light: Wled;
  mistakes: Mistake[];
  onChange: (light: Wled) => void;
}

type Kind = "effect" | "color" | "preset" | "off";

const KINDS: Kind[] = ["effect", "color", "preset", "off"];

export function LightFields({ light, mistakes, onChange }: Props) {
  const [found, setFound] = useState<FoundLight[]>();
  const [lists, setLists] = useState<LightLists>();
  const [waiting, setWaiting] = useState<"find" | "list">();
  const [problem, setProblem] = useState<string>();
  // A search takes a while, in which the light can change.
  const latest = useRef(light);
  latest.current = light;
  const here = useRef(true);
  useEffect(() => () => void (here.current = false), []);
  const kind = kindOf(light);
  const at = (key: string) => mistakesAt(mistakes, [key]);
  const find = async () => {
    setWaiting("find");
    const { value, problem } = await findLights();
    if (!here.current) return; // It was removed meanwhile.
    setWaiting(undefined);
    setFound(value?.lights ?? []);
    setProblem(problem);
    const [first] = value?.lights ?? [];
    if (first && !latest.current.at) await choose(first.at);
  };
  const choose = async (address: string) => {
    if (address !== latest.current.at) onChange({ ...latest.current, at: address });
    setWaiting("list");
    const { value, problem } = await listsOf(address);
    setWaiting(undefined);
    setLists(value);
    setProblem(problem);
  };
  return (
    <>
      <TextField
        label={w("wled.at")}
        type="url"
        value={light.at}
        mistakes={at("at")}
        list={(found ?? []).map((one) => one.at)}
        onInput={(text) => onChange({ ...light, at: text })}
      />
      <p class="show-buttons">
        <button type="button" disabled={waiting !== undefined} onClick={() => void find()}>
          {w(waiting === "find" ? "wled.finding" : "wled.find")}
        </button>
        <button type="button" disabled={waiting !== undefined || !light.at} onClick={() => void choose(light.at)}>
          {w(waiting === "list" ? "trying" : "wled.list")}
        </button>
      </p>
      <p role="status" class="show-help">
        {found?.length === 0 && !problem && w("wled.found.none")}
        {lists &&
          w("wled.lists", {
            name: lists.name,
            presets: String(lists.presets.length),
            effects: String(lists.effects.length),
            palettes: String(lists.palettes.length),
          })}
      </p>
      {problem && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      {found && found.length > 0 && (
        <ul class="show-chips">
          {found.map((one) => (
            <li key={one.at}>
              <button type="button" aria-pressed={one.at === light.at} onClick={() => void choose(one.at)}>
                {one.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      <SelectField
        label={w("wled.shows")}
        value={kind}
        choices={KINDS.map((value) => ({ value, name: w(`wled.kind.${value}`) }))}
        mistakes={mistakes.filter(({ path }) => path.length === 0)}
        onChange={(value) => onChange(asKind(light, value as Kind))}
      />
      {kind === "preset" && (
        <Numbered
          label={w("wled.preset")}
          value={light.preset}
          named={lists?.presets}
          mistakes={at("preset")}
          onChange={(preset) => onChange(withValue(light, "preset", preset))}
        />
      )}
      {kind === "effect" && (
        <Numbered
          label={w("wled.effect")}
          value={light.effect}
          named={lists?.effects}
          mistakes={at("effect")}
          onChange={(effect) => onChange(withValue(light, "effect", effect))}
        />
      )}
      {(kind === "effect" || kind === "color") && (
        <Field label={w("wled.color")} mistakes={at("color")}>
          {(attributes) => (
            <input
              {...attributes}
              type="color"
              value={light.color ?? "#ff0000"}
              onInput={(event) => onChange({ ...light, color: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      {kind === "effect" && lists && (
        <Numbered
          label={w("wled.palette")}
          value={light.palette}
          named={lists.palettes}
          mistakes={at("palette")}
          onChange={(palette) => onChange(withValue(light, "palette", palette))}
        />
      )}
      {kind !== "off" && (
        <NumberField
          label={w("wled.brightness")}
          value={light.brightness}
          mistakes={at("brightness")}
          onInput={(brightness) => onChange(withValue(light, "brightness", brightness))}
        />
      )}
      <NumberField
        label={w("wled.seconds")}
        help={w("wled.seconds.help")}
        step="any"
        value={light.seconds}
        mistakes={at("seconds")}
        onInput={(seconds) => onChange(withValue(light, "seconds", seconds))}
      />
    </>
  );
}

interface NumberedProps {
  label: string;
  value: number | undefined;
  /** The names of the numbers; without them the number is typed. */
  named: Named[] | undefined;
  mistakes: Mistake[];
  onChange: (value: number | undefined) => void;
}

function Numbered({ label, value, named, mistakes, onChange }: NumberedProps) {
  if (!named) return <NumberField label={label} value={value} mistakes={mistakes} onInput={onChange} />;
  const choices: Choice[] = named.map(({ id, name }) => ({ value: String(id), name: `${name} (${id})` }));
  return (
    <SelectField
      label={label}
      value={value === undefined ? "" : String(value)}
      choices={choices}
      mistakes={mistakes}
      onChange={(chosen) => onChange(chosen === "" ? undefined : Number(chosen))}
    />
  );
}

function kindOf(light: Wled): Kind {
  if (light.off) return "off";
  if ("preset" in light) return "preset";
  return "effect" in light ? "effect" : "color";
}

/** The light with another kind of what it shows; its address, brightness and seconds stay. */
function asKind(light: Wled, kind: Kind): Wled {
  const { at, brightness, seconds } = light;
  const kept = { at, ...(seconds === undefined ? {} : { seconds }) };
  const bright = brightness === undefined ? {} : { brightness };
  const color = light.color ?? "#ff0000";
  switch (kind) {
    case "off":
      return { ...kept, off: true };
    case "preset":
      return { ...kept, ...bright, preset: light.preset ?? 1 };
    case "color":
      return { ...kept, ...bright, color };
    case "effect":
      return { ...kept, ...bright, effect: light.effect ?? 1, color };
  }
}

/** The light with a number, or without it: an empty field is no zero. */
function withValue(light: Wled, key: "preset" | "effect" | "palette" | "brightness" | "seconds", value?: number): Wled {
  const { [key]: _before, ...rest } = light;
  return value === undefined ? (rest as Wled) : ({ ...rest, [key]: value } as Wled);
}
