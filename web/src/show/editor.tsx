// One rule that is made or changed: when, then, save.
import { useEffect, useRef, useState } from "preact/hooks";
import { changeRules, type Mistake, type ShowState } from "./api";
import { Conditions } from "./conditions";
import { mistakesAt, NumberField } from "./field";
import { Outputs } from "./outputs";
import type { Rule } from "./rule";
import { TryButton } from "./try-button";
import { w } from "./words";

interface Props {
  first: Rule;
  /** The number of the rule; undefined for a new one. */
  at: number | undefined;
  known: ShowState;
  games: string[];
  mistakes: Mistake[];
  onDone: (known?: ShowState) => void;
  /** What is known has changed, such as the files. */
  onFile: () => Promise<void>;
}

export function Editor({ first, at, known, games, mistakes: given, onDone, onFile }: Props) {
  const [rule, setRule] = useState(first);
  const [mistakes, setMistakes] = useState(given);
  const [problem, setProblem] = useState<string>();
  // An upload loads the rules again: in those of another version, `at` may be another rule.
  const [version] = useState(known.version);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector("h2")?.focus(), []);
  useEffect(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true], .problem")?.focus(), [mistakes]);
  const save = async () => {
    const { value, problem, mistakes } = await changeRules(at === undefined ? known.version : version, at, rule);
    setMistakes(mistakes ?? []);
    setProblem(mistakes ? undefined : problem);
    if (value) onDone(value);
    else if (!mistakes) await onFile(); // Somebody else may have changed the rules.
  };
  return (
    <form
      ref={form}
      class="show-editor"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      noValidate
    >
      <h2 tabIndex={-1}>{w(at === undefined ? "new" : "edit")}</h2>
      <h3>{w("when")}</h3>
      <Conditions
        when={rule.when}
        known={known}
        games={games}
        mistakes={mistakes}
        onChange={(when) => setRule({ ...rule, when })}
      />
      <h3>{w("then")}</h3>
      <Outputs rule={rule} known={known} mistakes={mistakes} onChange={setRule} onFile={onFile} />
      <details open={rule.priority !== undefined && rule.priority !== 0}>
        <summary>{w("more")}</summary>
        <NumberField
          label={w("priority")}
          help={w("priority.help")}
          value={rule.priority}
          mistakes={mistakesAt(mistakes, ["priority"])}
          onInput={(priority) => {
            const { priority: _before, ...rest } = rule;
            setRule(priority === undefined ? rest : { ...rest, priority });
          }}
        />
      </details>
      {problem && (
        <p role="alert" class="problem">
          {w("unsaved", { problem })}
        </p>
      )}
      <footer class="show-buttons">
        <button class="primary">{w("save")}</button>
        <TryButton rule={rule} about={w("rule")} />
        <button type="button" class="quiet" onClick={() => onDone()}>
          {w("cancel")}
        </button>
      </footer>
    </form>
  );
}
