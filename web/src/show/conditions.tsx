// The conditions of a rule: a row for each, with what suits it, and a list of those that can be added.
import { gameTitle } from "../game-title";
import type { Mistake, ShowState } from "./api";
import { LooseField, ManyField, mistakesAt, NumberField, SelectField, Wrong } from "./field";
import { awardName, eventName } from "./names";
import { bedsOf, type Condition, CONDITIONS, firstValue, type Span, type When } from "./rule";
import { w } from "./words";

interface Props {
  when: When;
  known: ShowState;
  games: string[];
  mistakes: Mistake[];
  onChange: (when: When) => void;
}

export function Conditions({ when, known, games, mistakes, onChange }: Props) {
  const used = CONDITIONS.filter((condition) => condition in when);
  const open = CONDITIONS.filter((condition) => !(condition in when));
  const put = (condition: Condition, value: When[Condition]) => onChange({ ...when, [condition]: value });
  const remove = (condition: Condition) => {
    const { [condition]: _removed, ...rest } = when;
    onChange(rest);
  };
  return (
    <>
      <ul class="show-rows">
        {used.map((condition) => (
          <li key={condition} class="show-row">
            <One
              condition={condition}
              when={when}
              known={known}
              games={games}
              mistakes={mistakesAt(mistakes, ["when", condition])}
              onChange={(value) => put(condition, value)}
            />
            <button
              type="button"
              class="quiet bare"
              aria-label={`${w("remove")}: ${w(`when.${condition}`)}`}
              onClick={() => remove(condition)}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <Wrong mistakes={mistakes.filter(({ path }) => path.length === 1 && path[0] === "when")} />
      <select
        aria-label={w("add.when")}
        value=""
        onChange={(event) => {
          const condition = event.currentTarget.value as Condition;
          event.currentTarget.value = "";
          if (condition) put(condition, firstValue(condition));
        }}
      >
        <option value="">{w("add.when")}</option>
        {open.map((condition) => (
          <option key={condition} value={condition}>
            {w(`when.${condition}`)}
          </option>
        ))}
      </select>
    </>
  );
}

interface OneProps {
  condition: Condition;
  when: When;
  known: ShowState;
  games: string[];
  mistakes: Mistake[];
  onChange: (value: When[Condition]) => void;
}

function One({ condition, when, known, games, mistakes, onChange }: OneProps) {
  const label = w(`when.${condition}`);
  const same = { label, mistakes };
  switch (condition) {
    case "total":
      return <NumberField {...same} value={when.total} onInput={onChange} />;
    case "dart":
      return (
        <SelectField
          {...same}
          value={String(when.dart)}
          choices={["1", "2", "3"].map((value) => ({ value, name: value }))}
          onChange={(value) => onChange(Number(value))}
        />
      );
    case "bot":
      return (
        <SelectField
          {...same}
          value={String(when.bot)}
          choices={[
            { value: "false", name: w("when.bot.false") },
            { value: "true", name: w("when.bot.true") },
          ]}
          onChange={(value) => onChange(value === "true")}
        />
      );
    case "range":
    case "marks":
    case "need":
      return <SpanField {...same} span={when[condition] ?? [undefined, undefined]} onChange={onChange} />;
    case "segment":
    case "combination":
      return <BedsField {...same} beds={when[condition] ?? []} onChange={onChange} />;
    default: {
      const names = { event: eventName, award: awardName, game: gameTitle, player: String, board: String };
      const values = { event: known.events, award: known.awards, game: games, player: [], board: known.boards };
      const choices = values[condition].map((value) => ({ value, name: names[condition](value) }));
      return (
        <ManyField
          {...same}
          values={when[condition] ?? []}
          choices={choices}
          free={condition === "player"}
          onChange={onChange}
        />
      );
    }
  }
}

interface SpanProps {
  label: string;
  span: Span;
  mistakes: Mistake[];
  onChange: (span: Span) => void;
}

function SpanField({ label, span, mistakes, onChange }: SpanProps) {
  const [low, high] = span;
  return (
    <fieldset class="show-span">
      <legend>{label}</legend>
      <NumberField label={w("from")} value={low} mistakes={[]} onInput={(value) => onChange([value, high])} />
      <NumberField label={w("to")} value={high} mistakes={[]} onInput={(value) => onChange([low, value])} />
      <Wrong mistakes={mistakes} />
    </fieldset>
  );
}

interface BedsProps {
  label: string;
  beds: string[];
  mistakes: Mistake[];
  onChange: (beds: string[]) => void;
}

function BedsField({ label, beds, mistakes, onChange }: BedsProps) {
  return (
    <LooseField
      label={label}
      help={w("beds.help")}
      value={beds.join(", ")}
      mistakes={mistakes}
      onInput={(typed) => onChange(bedsOf(typed))}
    />
  );
}
