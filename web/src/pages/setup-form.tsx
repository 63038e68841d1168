// A field for an answer of the setup.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { t } from "../text";

export type Send = (answer: string) => void;

/** A field for an answer that is not among the choices; open if it was the previous answer. */
export function Other({ summary, ...form }: FormProps & { summary: string }) {
  return (
    <details open={Boolean(form.value)}>
      <summary>{summary}</summary>
      <Form {...form} />
    </details>
  );
}

interface FormProps {
  label: string;
  value?: string;
  hint?: string;
  send: Send;
  children?: ComponentChildren;
}

export function Form({ label, value = "", hint = "", send, children }: FormProps) {
  const [text, setText] = useState(value);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        send(text);
      }}
    >
      <label>
        <span>{label}</span>
        <input
          value={text}
          placeholder={hint}
          autoCapitalize="off"
          autoComplete="off"
          spellcheck={false}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      {children}
      <button type="submit" class="primary" disabled={text.trim() === ""}>
        {t("setup.on")}
      </button>
    </form>
  );
}
