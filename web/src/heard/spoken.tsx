// Announces every change of a match to screen readers, and the choices that it asks for with their numbers.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Geometry } from "../geometry";
import type { Match } from "../match";
import { t } from "../text";
import { aimedAt, inSentences } from "./sentences";

interface Props {
  match: Match;
  geometry: Geometry;
}

/** What is aimed at in this state, and what was before its last dart landed; empty if that is not known. */
interface Aim {
  revision: number;
  darts: number;
  before: (string | number)[];
  now: (string | number)[];
}

export function Spoken({ match, geometry }: Props) {
  // A dart is seen from what was aimed at before it landed.
  const aim = useRef<Aim | undefined>(undefined);
  if (aim.current?.revision !== match.revision) {
    const now = aimedAt(match);
    const darts = match.turn.darts.length;
    // After an undo or a correction the aim of the state before is not that of the last dart.
    const before = aim.current && darts > aim.current.darts ? aim.current.now : [];
    aim.current = { revision: match.revision, darts, before, now };
  }
  return (
    <p class="spoken" role="status" aria-live="polite">
      {inSentences(match, geometry, aim.current?.before ?? [])}
    </p>
  );
}

/** The buttons of a choice, wherever a game draws them. */
const CHOICES = [
  ".answers button:not([type=submit])",
  ...[".choices-of", ".order-list", ".hand"].map((list) => `${list} button`),
  ".categories .offered",
].join(", ");

/** A choice has a number as long as one key presses it. */
const MOST = 9;

function choices(): HTMLButtonElement[] {
  const found = [...document.querySelectorAll<HTMLButtonElement>(CHOICES)];
  return found.filter((button) => !button.matches(":disabled")).slice(0, MOST);
}

/** Whether a key is a number for the page: not typed into a field, held down, or pressed in a dialog. */
function isNumber(event: KeyboardEvent): boolean {
  const typing = event.target instanceof HTMLElement && event.target.matches("input, select, textarea");
  const other = typing || event.repeat || event.ctrlKey || event.altKey || event.metaKey;
  return !other && document.querySelector("dialog[open]") === null && /^[1-9]$/.test(event.key);
}

/** Chooses by number: the keys 1 to 9 press the choice of that number, and a screen reader is told which is which. */
export function NumberedChoices({ revision, busy }: { revision: number; busy: boolean }) {
  const [offered, setOffered] = useState<string[]>([]);
  useEffect(() => {
    // While a command is sent all buttons are off: the list stays, so that it is not read again after each.
    if (busy) return;
    // After the game has drawn its choices.
    const names = choices().map((button) => button.innerText.replace(/\s+/g, " ").trim());
    setOffered((before) => (before.join("\n") === names.join("\n") ? before : names));
  });
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (isNumber(event)) choices()[Number(event.key) - 1]?.click();
    };
    addEventListener("keydown", pressed);
    return () => removeEventListener("keydown", pressed);
  }, [revision]);
  return (
    <p class="spoken" role="status">
      {offered.length > 0 && t("heard.choices", { list: offered.map((name, i) => `${i + 1} ${name}`).join(", ") })}
    </p>
  );
}
