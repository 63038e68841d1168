// The choice that a game awaits, as buttons: whatever the state says can be chosen.
import type { Command } from "../../match";
import { gameTitle } from "../../game-title";
import { choosing } from "../choosing";
import type { ControlProps } from "../scoreboard";
import { label, type Spoken, type Target, target } from "./view";

export function Choices({ match, send, busy }: ControlProps<Spoken>) {
  const { choices } = match.turn;
  if (!choices) return null;
  const offered = choices.flatMap((action) => values(action).map(([key, value]) => ({ action, key, value })));
  return (
    <fieldset class="choices-of" disabled={busy}>
      <legend>{choosing(match)}</legend>
      <p>{label(offered[0]?.key ?? "")}</p>
      <div class="numbers-grid">
        {offered.map(({ action, key, value }) => (
          <button type="button" key={String(value)} onClick={() => send(action)}>
            {key === "game" ? gameTitle(String(value)) : target(value)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function values(action: Command): [string, Target][] {
  return Object.entries((action.choose ?? {}) as Record<string, Target>);
}
