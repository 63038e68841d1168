// One value of a rule with its label, and what is wrong with it right below.
import type { ComponentChildren } from "preact";
import { useId, useState } from "preact/hooks";
import type { Mistake } from "./api";
import { w } from "./words";

export type Path = (string | number)[];

/** The mistakes at a path, and below it. */
export function mistakesAt(mistakes: Mistake[], path: Path): Mistake[] {
  return mistakes.filter((mistake) => path.every((part, i) => mistake.path[i] === part));
}

interface FieldProps {
  label: string;
  help?: string;
  mistakes: Mistake[];
  children: (attributes: { id: string; "aria-describedby": string; "aria-invalid": boolean }) => ComponentChildren;
}

export function Field({ label, help, mistakes, children }: FieldProps) {
  const id = useId();
  return (
    <div class="show-field">
      <label for={id}>{label}</label>
      {children({ id, "aria-describedby": `${id}-about`, "aria-invalid": mistakes.length > 0 })}
      <div id={`${id}-about`}>
        {help && <p class="show-help">{help}</p>}
        <Wrong mistakes={mistakes} />
      </div>
    </div>
  );
}

export function Wrong({ mistakes }: { mistakes: Mistake[] }) {
  return (
    <>
      {mistakes.map(({ message }) => (
        <p key={message} class="problem">
          {message}
        </p>
      ))}
    </>
  );
}

interface TextProps {
  label: string;
  value: string;
  onInput: (text: string) => void;
  mistakes: Mistake[];
  help?: string;
  type?: "text" | "url";
  list?: string[];
  long?: boolean;
}

export function TextField({ label, value, onInput, mistakes, help, type = "text", list, long }: TextProps) {
  return (
    <Field label={label} mistakes={mistakes} {...(help === undefined ? {} : { help })}>
      {(attributes) =>
        long ? (
          <textarea {...attributes} rows={2} value={value} onInput={(event) => onInput(event.currentTarget.value)} />
        ) : (
          <>
            <input
              {...attributes}
              type={type}
              value={value}
              autocapitalize="off"
              spellcheck={false}
              {...(list ? { list: `${attributes.id}-list` } : {})}
              onInput={(event) => onInput(event.currentTarget.value)}
            />
            {list && (
              <datalist id={`${attributes.id}-list`}>
                {list.map((one) => (
                  <option key={one} value={one} />
                ))}
              </datalist>
            )}
          </>
        )
      }
    </Field>
  );
}

/** A text whose value has another form: what is typed stays as it is, also where the value is the same without it. */
export function LooseField({ value, ...props }: TextProps) {
  const [text, setText] = useState(value);
  const onInput = (typed: string) => {
    setText(typed);
    props.onInput(typed);
  };
  return <TextField {...props} value={text} onInput={onInput} />;
}

interface NumberProps {
  label: string;
  value: number | undefined;
  onInput: (value: number | undefined) => void;
  mistakes: Mistake[];
  help?: string;
  step?: string;
}

export function NumberField({ label, value, onInput, mistakes, help, step = "1" }: NumberProps) {
  return (
    <Field label={label} mistakes={mistakes} {...(help === undefined ? {} : { help })}>
      {(attributes) => (
        <input
          {...attributes}
          type="number"
          inputmode={step === "1" ? "numeric" : "decimal"}
          step={step}
          value={value ?? ""}
          onInput={(event) => onInput(numberOf(event.currentTarget.value))}
        />
      )}
    </Field>
  );
}

function numberOf(text: string): number | undefined {
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? undefined : value;
}

export interface Choice {
  value: string;
  name: string;
}

interface SelectProps {
  label: string;
  value: string;
  choices: Choice[];
  onChange: (value: string) => void;
  mistakes: Mistake[];
  help?: string;
}

export function SelectField({ label, value, choices, onChange, mistakes, help }: SelectProps) {
  // A value that is not among the choices stays as it is.
  const all = choices.some((choice) => choice.value === value) ? choices : [{ value, name: value }, ...choices];
  return (
    <Field label={label} mistakes={mistakes} {...(help === undefined ? {} : { help })}>
      {(attributes) => (
        <select {...attributes} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
          {all.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface ManyProps {
  label: string;
  values: string[];
  choices: Choice[];
  /** Whether other values can be typed. */
  free?: boolean;
  onChange: (values: string[]) => void;
  mistakes: Mistake[];
}

/** Any of several values: those that are chosen, each with a button to remove it, and what can be added. */
export function ManyField({ label, values, choices, free = false, onChange, mistakes }: ManyProps) {
  const open = choices.filter(({ value }) => !values.includes(value));
  const add = (value: string) => value.trim() && !values.includes(value.trim()) && onChange([...values, value.trim()]);
  return (
    <Field label={label} mistakes={mistakes}>
      {(attributes) => (
        <>
          {values.length > 0 && (
            <ul class="show-chips">
              {values.map((value) => (
                <li key={value}>
                  <button
                    type="button"
                    aria-label={`${w("remove")}: ${nameOf(choices, value)}`}
                    onClick={() => onChange(values.filter((one) => one !== value))}
                  >
                    {nameOf(choices, value)} <span aria-hidden="true">×</span>
                  </button>
                </li>
              ))}
            </ul>
          )}
          {free ? (
            <>
              <input
                {...attributes}
                placeholder={w("add")}
                list={`${attributes.id}-list`}
                enterkeyhint="done"
                onChange={(event) => {
                  add(event.currentTarget.value);
                  event.currentTarget.value = "";
                }}
              />
              <datalist id={`${attributes.id}-list`}>
                {open.map(({ value }) => (
                  <option key={value} value={value} />
                ))}
              </datalist>
            </>
          ) : (
            <select {...attributes} value="" onChange={(event) => add(event.currentTarget.value)}>
              <option value="">{values.length === 0 ? "…" : w("add")}</option>
              {open.map(({ value, name }) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </>
      )}
    </Field>
  );
}

function nameOf(choices: Choice[], value: string): string {
  return choices.find((choice) => choice.value === value)?.name ?? value;
}
