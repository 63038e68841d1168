// Darts by the keyboard: "t20 5 d16" and Enter.
import { useState } from "preact/hooks";
import { t } from "../text";
import { dartsOf, wordsOf } from "./typed";

interface Props {
  disabled: boolean;
  onThrow: (dart: unknown) => void | Promise<boolean>;
}

export function TypedDarts({ disabled, onThrow }: Props) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string>();

  async function send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (disabled) return;
    const found = dartsOf(text);
    if (typeof found === "string") {
      setWrong(t("typed.wrong", { word: found }));
      return;
    }
    setWrong(undefined);
    setText("");
    // One after the other: each refers to the state after the one before.
    for (const [i, dart] of found.entries()) {
      if ((await onThrow(dart)) !== false) continue;
      // What was not scored is there again, before what was typed meanwhile.
      const left = wordsOf(text).slice(i).join(" ");
      setText((typed) => `${left} ${typed}`.trim());
      return;
    }
  }

  return (
    <form class="typed-darts" onSubmit={(event) => void send(event)}>
      <label>
        <span>{t("typed.label")}</span>
        {/* Never off: a field that is off loses the focus, and what is typed next would go to the page. */}
        <input
          value={text}
          autocomplete="off"
          autocapitalize="characters"
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={disabled || text.trim() === ""}>
        {t("control.send")}
      </button>
      <p role="alert">{wrong}</p>
    </form>
  );
}
