// One option of a game, as a field made from its JSON Schema. An unchanged option is not sent, so that the default of the rules applies.
import type { ComponentChild } from "preact";
import { language, maybe, t } from "../text";
import { AVERAGES, KnownAverages } from "./known-averages";

interface Schema {
  type?: "integer" | "number" | "boolean" | "array" | "object";
  enum?: string[];
  minimum?: number;
  maximum?: number;
  items?: { anyOf?: (Schema & { const?: string })[] };
  additionalProperties?: Schema;
}

export interface Option {
  name: string;
  help: string;
  default?: unknown;
  schema: Schema;
  /** Its name by language, and those of its values, from games that bring them. */
  label?: Record<string, string>;
  words?: Record<string, Record<string, string>>;
  /** Named values, the easiest first. */
  presets?: { name: string; value: unknown }[];
}

interface Props {
  option: Option;
  game: string;
  players: string[];
  value: unknown;
  /** undefined: the default of the rules. */
  onChange: (value: unknown) => void;
}

/** The name of an option in the page's language; undefined if it has none but that of the rules. */
function labelOf(option: Option, game: string): string | undefined {
  return maybe(`option.${game}.${option.name}`) ?? maybe(`option.${option.name}`) ?? option.label?.[language];
}

/** The name of an option as the form shows it. */
export function optionTitle(option: Option, game: string): string {
  return labelOf(option, game) ?? option.name.replaceAll("_", " ");
}

export function OptionField(props: Props) {
  const { option, game } = props;
  const label = labelOf(option, game);
  const name = optionTitle(option, game);
  const help = label ? undefined : option.help;
  const hint = maybe(`option.${game}.${option.name}.${props.players.length > 1 ? "many" : "one"}`);
  return (
    <div class="option">
      <Field {...props} name={name} />
      {option.name === AVERAGES && (
        <KnownAverages
          key={props.players.join()}
          players={props.players}
          onFill={(known) => props.onChange({ ...((props.value ?? {}) as Record<string, number>), ...known })}
        />
      )}
      {option.presets && <Presets {...props} name={name} presets={option.presets} />}
      {hint && <small>{hint}</small>}
      {help && <small>{help}</small>}
    </div>
  );
}

/** Buttons for the named values; a second touch resets to the default. */
function Presets({
  name,
  presets,
  value,
  onChange,
}: Props & { name: string; presets: NonNullable<Option["presets"]> }) {
  return (
    <div class="presets" role="group" aria-label={name}>
      {presets.map((preset) => (
        <button
          type="button"
          key={preset.name}
          aria-pressed={value === preset.value}
          onClick={() => onChange(value === preset.value ? undefined : preset.value)}
        >
          {maybe(`preset.${preset.name}`) ?? preset.name} {String(preset.value)}
        </button>
      ))}
    </div>
  );
}

function Field({ option, players, value, onChange, name }: Props & { name: string }) {
  const { schema } = option;
  if (schema.enum) {
    return (
      <Labelled name={name}>
        <select
          value={String(value ?? option.default ?? "")}
          onChange={(event) => onChange(event.currentTarget.value || undefined)}
        >
          {option.default === undefined && <option value="">{t("start.default")}</option>}
          {schema.enum.map((word) => (
            <option key={word} value={word}>
              {option.words?.[word]?.[language] ?? maybe(`option.word.${word}`) ?? word}
            </option>
          ))}
        </select>
      </Labelled>
    );
  }
  switch (schema.type) {
    case "boolean":
      return (
        <Labelled name={name}>
          <input
            type="checkbox"
            checked={Boolean(value ?? option.default)}
            onChange={(event) => onChange(event.currentTarget.checked)}
          />
        </Labelled>
      );
    case "integer":
      return (
        <Labelled name={name}>
          <Whole schema={schema} value={value} placeholder={option.default} onChange={onChange} />
        </Labelled>
      );
    case "object":
      return <PerPlayer name={name} schema={schema} players={players} value={value} onChange={onChange} />;
    case "array":
      return <Targets name={name} schema={schema} value={value ?? option.default} onChange={onChange} />;
    default:
      return null;
  }
}

function Labelled({ name, children }: { name: string; children: ComponentChild }) {
  return (
    <label>
      <span>{name}</span>
      {children}
    </label>
  );
}

interface WholeProps {
  schema: Schema;
  value: unknown;
  placeholder: unknown;
  onChange: (value: number | undefined) => void;
}

function Whole({ schema, value, placeholder, onChange }: WholeProps) {
  return (
    <input
      type="number"
      // A phone shows a keyboard with a decimal point only where one is taken.
      inputMode={schema.type === "number" ? "decimal" : "numeric"}
      step={schema.type === "number" ? "any" : "1"}
      min={schema.minimum}
      max={schema.maximum}
      value={typeof value === "number" ? value : ""}
      placeholder={placeholder === undefined ? "–" : String(placeholder)}
      onInput={({ currentTarget: { value: text } }) => onChange(text === "" ? undefined : Number(text))}
    />
  );
}

interface PartProps {
  name: string;
  schema: Schema;
  value: unknown;
  onChange: (value: unknown) => void;
}

function PerPlayer({ name, schema, players, value, onChange }: PartProps & { players: string[] }) {
  const given = Object.fromEntries(Object.entries((value ?? {}) as Record<string, number>));
  return (
    <fieldset>
      <legend>{name}</legend>
      {players.map((player) => (
        <Labelled name={player} key={player}>
          <Whole
            schema={schema.additionalProperties ?? {}}
            value={given[player]}
            placeholder={undefined}
            onChange={(number) => {
              const { [player]: _, ...others } = given;
              const changed = number === undefined ? others : { ...others, [player]: number };
              onChange(Object.keys(changed).length > 0 ? changed : undefined);
            }}
          />
        </Labelled>
      ))}
    </fieldset>
  );
}

type Choice = string | number;

/** A choice of several: numbers in a range, and words in addition. */
function Targets({ name, schema, value, onChange }: PartProps) {
  const chosen = Array.isArray(value) ? (value as Choice[]) : [];
  const choices = (schema.items?.anyOf ?? []).flatMap<Choice>(({ const: word, minimum = 1, maximum = 0 }) =>
    word === undefined ? Array.from({ length: maximum - minimum + 1 }, (_, i) => maximum - i) : [word],
  );
  return (
    <fieldset>
      <legend>{name}</legend>
      <div class="numbers-grid">
        {choices.map((choice) => (
          <button
            type="button"
            key={choice}
            aria-pressed={chosen.includes(choice)}
            onClick={() => {
              const rest = chosen.includes(choice) ? chosen.filter((c) => c !== choice) : [...chosen, choice];
              onChange(rest.length > 0 ? choices.filter((c) => rest.includes(c)) : undefined);
            }}
          >
            {maybe(String(choice)) ?? choice}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
