// What a rule does: a card for each output, with "Try it" beside it.
import type { ComponentChildren } from "preact";
import { useRef, useState } from "preact/hooks";
import { ask, type Mistake, type ShowState } from "./api";
import { LooseField, mistakesAt, SelectField, TextField, Wrong } from "./field";
import { LightFields } from "./light";
import {
  alone,
  asPayload,
  type Http,
  type Mqtt,
  type Output,
  OUTPUTS,
  payloadText,
  type Rule,
  withOutput,
} from "./rule";
import { TryButton } from "./try-button";
import { w } from "./words";

interface Props {
  rule: Rule;
  known: ShowState;
  mistakes: Mistake[];
  onChange: (rule: Rule) => void;
  /** A file was added: what is known has changed. */
  onFile: () => Promise<void>;
}

export function Outputs({ rule, known, mistakes, onChange, onFile }: Props) {
  const lists = ["wled", "http", "mqtt"] as const;
  // With each removal the cards are made anew: those behind it move up, and their fields keep what was typed.
  const [removals, setRemovals] = useState(0);
  // An upload takes a while, in which the rule can change.
  const latest = useRef(rule);
  latest.current = rule;
  const cards: { output: Output; number: number }[] = OUTPUTS.flatMap((output) =>
    (lists as readonly string[]).includes(output)
      ? (rule[output as "wled"] ?? []).map((_one, number) => ({ output, number }))
      : rule[output] === undefined
        ? []
        : [{ output, number: 0 }],
  );
  const open = OUTPUTS.filter((output) => (lists as readonly string[]).includes(output) || rule[output] === undefined);
  const set = <T,>(output: "wled" | "http" | "mqtt", number: number, value: T) => {
    const all = (latest.current[output] ?? []) as unknown[];
    onChange({ ...latest.current, [output]: all.map((one, i) => (i === number ? value : one)) });
  };
  const remove = (output: Output, number: number) => {
    const { [output]: value, ...rest } = rule;
    const left = Array.isArray(value) ? value.filter((_one, i) => i !== number) : [];
    setRemovals(removals + 1);
    onChange((left.length > 0 ? { ...rest, [output]: left } : rest) as Rule);
  };
  return (
    <>
      <ul class="show-rows">
        {cards.map(({ output, number }) => {
          const path = (lists as readonly string[]).includes(output) ? [output, number] : [output];
          const here = mistakesAt(mistakes, path).map((one) => ({ ...one, path: one.path.slice(path.length) }));
          return (
            <li key={`${output}-${number}-${Array.isArray(rule[output]) ? removals : 0}`}>
              <Card
                output={output}
                part={alone(rule, output, number)}
                onRemove={() => remove(output, number)}
                removable={cards.length > 1 || number > 0}
              >
                {output === "wled" && rule.wled?.[number] && (
                  <LightFields
                    light={rule.wled[number]}
                    mistakes={here}
                    onChange={(light) => set("wled", number, light)}
                  />
                )}
                {(output === "sound" || output === "picture") && (
                  <FileField
                    output={output}
                    name={rule[output] ?? ""}
                    known={known}
                    mistakes={here}
                    onChange={(name) => onChange({ ...latest.current, [output]: name })}
                    onFile={onFile}
                  />
                )}
                {output === "words" && (
                  <TextField
                    label={w("words")}
                    long
                    help={w("words.help")}
                    value={rule.words ?? ""}
                    mistakes={here}
                    onInput={(words) => onChange({ ...rule, words })}
                  />
                )}
                {output === "http" && rule.http?.[number] && (
                  <HttpFields http={rule.http[number]} mistakes={here} onChange={(one) => set("http", number, one)} />
                )}
                {output === "mqtt" && rule.mqtt?.[number] && (
                  <MqttFields mqtt={rule.mqtt[number]} mistakes={here} onChange={(one) => set("mqtt", number, one)} />
                )}
              </Card>
            </li>
          );
        })}
      </ul>
      <Wrong mistakes={mistakes.filter(({ path }) => path.length === 0)} />
      <select
        aria-label={w("add.then")}
        value=""
        onChange={(event) => {
          const output = event.currentTarget.value as Output;
          event.currentTarget.value = "";
          if (output) onChange(withOutput(rule, output, rule.wled?.[0]?.at));
        }}
      >
        <option value="">{w("add.then")}</option>
        {open.map((output) => (
          <option key={output} value={output}>
            {w(output)}
          </option>
        ))}
      </select>
    </>
  );
}

interface CardProps {
  output: Output;
  part: unknown;
  removable: boolean;
  onRemove: () => void;
  children: ComponentChildren;
}

function Card({ output, part, removable, onRemove, children }: CardProps) {
  return (
    <fieldset class="show-card">
      <legend>{w(output)}</legend>
      {children}
      <div class="show-buttons">
        <TryButton rule={part} about={w(output)} />
        {removable && (
          <button type="button" class="quiet" aria-label={`${w("remove")}: ${w(output)}`} onClick={onRemove}>
            {w("remove")}
          </button>
        )}
      </div>
    </fieldset>
  );
}

interface FileProps {
  output: "sound" | "picture";
  name: string;
  known: ShowState;
  mistakes: Mistake[];
  onChange: (name: string) => void;
  onFile: () => Promise<void>;
}

function FileField({ output, name, known, mistakes, onChange, onFile }: FileProps) {
  const [problem, setProblem] = useState<string>();
  const files = output === "sound" ? known.files.sounds : known.files.pictures;
  const upload = async (file: File) => {
    const clean = file.name.replace(/[^A-Za-z0-9 ._-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "");
    const { problem } = await ask(`/show/${encodeURIComponent(clean)}`, { method: "PUT", body: file });
    setProblem(problem);
    if (problem !== undefined) return;
    await onFile();
    onChange(clean);
  };
  return (
    <>
      <SelectField
        label={w("file")}
        value={name}
        choices={files.map((file) => ({ value: file, name: file }))}
        mistakes={mistakes}
        help={w("file.none", { folder: known.folder })}
        onChange={onChange}
      />
      <label class="button show-upload">
        {w("file.upload")}
        <input
          type="file"
          class="spoken"
          accept={output === "sound" ? "audio/*" : "image/png,image/jpeg,image/gif,image/webp,video/mp4,video/webm"}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            // The same file again, after a refusal, is a change as well.
            event.currentTarget.value = "";
            if (file) void upload(file);
          }}
        />
      </label>
      {problem && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
    </>
  );
}

interface HttpProps {
  http: Http;
  mistakes: Mistake[];
  onChange: (http: Http) => void;
}

function HttpFields({ http, mistakes, onChange }: HttpProps) {
  const at = (key: string) => mistakesAt(mistakes, [key]);
  const names = Object.keys(http.headers ?? {});
  return (
    <>
      <TextField
        label={w("http.url")}
        type="url"
        value={http.url}
        mistakes={at("url")}
        onInput={(url) => onChange({ ...http, url })}
      />
      <SelectField
        label={w("http.method")}
        value={http.method ?? "POST"}
        choices={["POST", "PUT", "GET"].map((value) => ({ value, name: value }))}
        mistakes={at("method")}
        onChange={(method) => onChange({ ...http, method })}
      />
      <LooseField
        label={w("http.body")}
        long
        help={w("json.help")}
        value={payloadText(http.body)}
        mistakes={[...at("body"), ...mistakes.filter(({ path }) => path.length === 0)]}
        onInput={(text) => {
          const { body: _before, ...rest } = http;
          onChange(text === "" ? rest : { ...rest, body: asPayload(text) });
        }}
      />
      {names.length > 0 && <p class="show-help">{w("headers", { names: names.join(", ") })}</p>}
      <Wrong mistakes={at("headers")} />
    </>
  );
}

interface MqttProps {
  mqtt: Mqtt;
  mistakes: Mistake[];
  onChange: (mqtt: Mqtt) => void;
}

function MqttFields({ mqtt, mistakes, onChange }: MqttProps) {
  const at = (key: string) => mistakesAt(mistakes, [key]);
  return (
    <>
      <TextField
        label={w("mqtt.topic")}
        value={mqtt.topic}
        mistakes={at("topic")}
        onInput={(topic) => onChange({ ...mqtt, topic })}
      />
      <LooseField
        label={w("mqtt.payload")}
        long
        help={w("json.help")}
        value={payloadText(mqtt.payload)}
        mistakes={[...at("payload"), ...mistakes.filter(({ path }) => path.length === 0)]}
        onInput={(text) => onChange({ ...mqtt, payload: asPayload(text) })}
      />
      <label class="show-check">
        <input
          type="checkbox"
          checked={mqtt.retain ?? false}
          onChange={(event) => onChange({ ...mqtt, retain: event.currentTarget.checked })}
        />
        {w("mqtt.retain")}
      </label>
    </>
  );
}
