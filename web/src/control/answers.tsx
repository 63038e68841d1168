// What a match asks for in addition to darts, in any game: which bed it was, real dice and cards.
import { useState } from "preact/hooks";
import type { Command, Match } from "../match";
import { dartName, type Key, t } from "../text";

interface Props {
  match: Match;
  send: (command: Command) => void;
  busy: boolean;
}

export function Answers({ match, send, busy }: Props) {
  const { turn, doubtful = [] } = match;
  if (turn.awaits === "choose" && turn.candidates) {
    const choose = (bed: string) => send({ choose: { segment: bed } });
    return <Beds title="control.candidates" beds={turn.candidates} busy={busy} onPick={choose} />;
  }
  if (turn.awaits === "throw" && doubtful.length > 0) {
    return <Beds title="control.doubtful" beds={doubtful} busy={busy} onPick={(bed) => send({ throw: bed })} />;
  }
  if (turn.awaits === "roll") {
    return <Typed label="control.roll" busy={busy} onSend={(words) => send({ roll: words.map(Number) })} />;
  }
  if (turn.awaits === "deck") {
    return <Typed label="control.deck" busy={busy} onSend={(words) => send({ deck: words })} />;
  }
  return null;
}

interface BedsProps {
  title: Key;
  beds: string[];
  busy: boolean;
  onPick: (bed: string) => void;
}

function Beds({ title, beds, busy, onPick }: BedsProps) {
  return (
    <fieldset class="answers" disabled={busy}>
      <legend>{t(title)}</legend>
      <div class="near">
        {beds.map((bed, i) => (
          <button type="button" key={`${i}-${bed}`} class="primary" onClick={() => onPick(bed)}>
            {dartName(bed, true)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function Typed({ label, busy, onSend }: { label: Key; busy: boolean; onSend: (words: string[]) => void }) {
  const [text, setText] = useState("");
  return (
    <form
      class="answers typed"
      onSubmit={(event) => {
        event.preventDefault();
        onSend(text.split(/[\s,]+/).filter(Boolean));
        setText("");
      }}
    >
      <label>
        {t(label)}
        <input value={text} autocomplete="off" onInput={(event) => setText(event.currentTarget.value)} />
      </label>
      <button type="submit" class="primary" disabled={busy || text.trim() === ""}>
        {t("control.send")}
      </button>
    </form>
  );
}
