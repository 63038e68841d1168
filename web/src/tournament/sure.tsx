import { useState } from "preact/hooks";
import { w } from "./words";

/** A button that asks once more. */
export function Sure({ label, onSure }: { label: string; onSure: () => unknown }) {
  const [asked, setAsked] = useState(false);
  if (!asked) {
    return (
      <button type="button" onClick={() => setAsked(true)}>
        {label}
      </button>
    );
  }
  return (
    <p class="cup-sure">
      <button class="danger" type="button" onClick={() => [setAsked(false), onSure()]}>
        {label}
      </button>
      <button class="quiet" type="button" onClick={() => setAsked(false)}>
        {w("referee.cancel")}
      </button>
    </p>
  );
}
