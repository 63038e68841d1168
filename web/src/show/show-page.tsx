// `/show`: the rules that make lights, sounds and pictures of what happens on the boards, to see, try, make and change.
import { useEffect, useState } from "preact/hooks";
import type { Geometry } from "../geometry";
import { LanguageChoice } from "../pages/language";
import { labelled } from "../text";
import { Brand } from "../venue";
import { changeRules, loadRules, type Mistake, type ShowState } from "./api";
import { Editor } from "./editor";
import { Wrong } from "./field";
import { thenTexts, whenTexts } from "./names";
import { type Rule, ruleOf, withOutput } from "./rule";
import { TryButton } from "./try-button";
import { w } from "./words";

interface Edited {
  /** The number of the rule; undefined for a new one. */
  at: number | undefined;
  rule: Rule;
  mistakes: Mistake[];
}

const NEW: Edited = { at: undefined, rule: withOutput({ when: { total: 180 } }, "wled"), mistakes: [] };

export function ShowPage({ geometry }: { geometry: Geometry }) {
  const [known, setKnown] = useState<ShowState>();
  const [edited, setEdited] = useState<Edited>();
  const [problem, setProblem] = useState<string>();
  document.title = `${w("title")} · oche`;
  const load = async () => {
    const { value, problem } = await loadRules();
    if (value) setKnown(value);
    setProblem(problem ?? value?.problem);
  };
  useEffect(() => void load(), []);
  const remove = async (at: number) => {
    const { value, problem } = await changeRules(known?.version ?? "", at, undefined);
    if (value) setKnown(value);
    else await load(); // Somebody else may have changed the rules.
    setProblem(problem);
  };
  const board = new URLSearchParams(location.search).get("board");
  return (
    <div class="page show">
      <header class="bar">
        <Brand />
        {board && <a href={`/board/${encodeURIComponent(board)}/control`}>‹ {board}</a>}
        <LanguageChoice />
      </header>
      <main>
        <h1>{w("title")}</h1>
        {problem && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        {known &&
          (edited ? (
            <Editor
              key={edited.at ?? "new"}
              first={edited.rule}
              at={edited.at}
              mistakes={edited.mistakes}
              known={known}
              games={Object.keys(geometry.games ?? {})}
              onFile={load}
              onDone={(news) => {
                if (news) setKnown(news);
                setEdited(undefined);
              }}
            />
          ) : (
            <>
              <p>{w(known.rules.length + known.configured.length === 0 ? "none" : "about")}</p>
              <ul class="show-rules">
                {known.rules.map(({ values, mistakes }, at) => (
                  <li key={`${known.version}-${at}`}>
                    <RuleCard
                      rule={ruleOf(values)}
                      mistakes={mistakes}
                      onEdit={() => setEdited({ at, rule: ruleOf(values), mistakes })}
                      onRemove={() => void remove(at)}
                    />
                  </li>
                ))}
                {known.configured.map((values, number) => (
                  <li key={`configured-${number}`}>
                    <RuleCard rule={ruleOf(values)} mistakes={[]} />
                  </li>
                ))}
              </ul>
              <button class="primary big" onClick={() => setEdited(NEW)}>
                {w("new")}
              </button>
            </>
          ))}
      </main>
    </div>
  );
}

interface CardProps {
  rule: Rule;
  mistakes: Mistake[];
  /** Without these it is a rule of the configuration. */
  onEdit?: () => void;
  onRemove?: () => void;
}

function RuleCard({ rule, mistakes, onEdit, onRemove }: CardProps) {
  const [sure, setSure] = useState(false);
  const when = whenTexts(rule.when).map(([label, value]) => labelled(label, value));
  const title = when.join(" · ");
  return (
    <article class="show-rule">
      <h2>{title}</h2>
      <dl>
        {thenTexts(rule).map(([output, text], i) => (
          <div key={i}>
            <dt>{output}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      {mistakes.length > 0 && <p class="problem">{w("wrong")}</p>}
      <Wrong mistakes={mistakes.map((one) => ({ ...one, message: `${one.path.join(".")}: ${one.message}` }))} />
      <div class="show-buttons">
        {mistakes.length === 0 && <TryButton rule={rule} about={title} />}
        {onEdit ? (
          <>
            <button aria-label={`${w("edit")}: ${title}`} onClick={onEdit}>
              {w("edit")}
            </button>
            <button
              class={sure ? "danger" : "quiet"}
              aria-label={`${w(sure ? "remove.sure" : "remove")}: ${title}`}
              onClick={() => (sure ? onRemove?.() : setSure(true))}
              onBlur={() => setSure(false)}
            >
              {w(sure ? "remove.sure" : "remove")}
            </button>
          </>
        ) : (
          <p class="show-help">{w("configured")}</p>
        )}
      </div>
    </article>
  );
}
