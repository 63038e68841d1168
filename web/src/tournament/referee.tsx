// `/tournament?referee`: a referee enters and corrects results, withdraws somebody, and takes back what came last.
import { useState } from "preact/hooks";
import { credentials, isReferee } from "../access";
import { refusalText } from "../text";
import { Sure } from "./sure";
import { type Fixture, matchesOf, nameOf, type Tournament } from "./state";
import { titleOf } from "./titles";
import { w } from "./words";

type Then = "again" | "keep";
type Sides = [number, number];
/** Sends a command, and returns whether it was done. */
type Send = (command: object, done: string) => Promise<boolean>;

export function RefereeView({ tournament }: { tournament: Tournament }) {
  const [said, setSaid] = useState<{ text: string; refused: boolean }>();
  const [chosen, setChosen] = useState("");
  if (!isReferee()) return <p role="alert">{w("referee.only")}</p>;

  async function send(command: object, done: string): Promise<boolean> {
    const refused = await ask(command);
    setSaid({ text: refused ?? done, refused: refused !== undefined });
    return refused === undefined;
  }

  const open = choices(tournament);
  const fixture = open.find(({ id }) => id === chosen);
  return (
    <div class="cup-referee">
      <p class="cup-actions">
        <a href="/tournament">{w("sheets.back")}</a>
      </p>
      <ReopenedMatches tournament={tournament} onChoose={setChosen} />
      <section>
        <h2>{w("referee.result")}</h2>
        <label>
          {w("referee.match")}
          <select value={chosen} onChange={(event) => setChosen(event.currentTarget.value)}>
            <option value="">{w("referee.choose")}</option>
            {open.map((one) => (
              <option key={one.id} value={one.id}>
                {`${playersOf(tournament, one)}${one.score ? `  ${one.score.join(" : ")}` : ""} · ${titleOf(one)}`}
              </option>
            ))}
          </select>
        </label>
        {fixture && (
          <ResultForm key={`${fixture.id} ${fixture.state}`} tournament={tournament} fixture={fixture} send={send} />
        )}
      </section>
      <p class={said?.refused ? "refusal" : "cup-done"} role={said?.refused ? "alert" : "status"}>
        {said?.text}
      </p>
      <Withdrawal tournament={tournament} send={send} />
      <section>
        <h2>{w("referee.undo")}</h2>
        <Sure label={w("referee.undo.do")} onSure={() => send({ undo: true }, w("referee.done"))} />
      </section>
    </div>
  );
}

/** The matches that went on at their board after others had come; nothing if there are none. */
export function ReopenedMatches({
  tournament,
  onChoose,
}: {
  tournament: Tournament;
  onChoose?: (fixture: string) => void;
}) {
  const found = tournament.fixtures.filter(({ reopened }) => reopened);
  if (found.length === 0 || !isReferee()) return null;
  return (
    <ul class="cup-reopened" role="alert">
      {found.map((fixture) => (
        <li key={fixture.id}>
          {w(fixture.board_score ? "reopened.ended" : "reopened", {
            players: playersOf(tournament, fixture),
            score: (fixture.score ?? []).join(" : "),
            board: (fixture.board_score ?? []).join(" : "),
          })}{" "}
          {onChoose ? (
            <button type="button" onClick={() => onChoose(fixture.id)}>
              {w("referee.correct")}
            </button>
          ) : (
            <a href="/tournament?referee">{w("referee.correct")}</a>
          )}
        </li>
      ))}
    </ul>
  );
}

function ResultForm({ tournament, fixture, send }: { tournament: Tournament; fixture: Fixture; send: Send }) {
  const [score, setScore] = useState<Sides>(fixture.board_score ?? fixture.score ?? [0, 0]);
  const [then, setThen] = useState<Then>("again");
  const [walkover, setWalkover] = useState(false);
  const corrects = fixture.score !== undefined;

  function set(side: 0 | 1, text: string): void {
    const legs = Math.max(0, Math.min(99, Math.trunc(Number(text)) || 0));
    setScore(side === 0 ? [legs, score[1]] : [score[0], legs]);
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    const about = { fixture: fixture.id, score };
    const command = corrects ? { correct: { ...about, then } } : { result: walkover ? { ...about, walkover } : about };
    await send(command, w("referee.saved", { players: playersOf(tournament, fixture), score: score.join(" : ") }));
  }

  return (
    <form onSubmit={submit}>
      <div class="cup-legs">
        {([0, 1] as const).map((side) => (
          <label key={side}>
            <span>{nameOf(tournament, side === 0 ? fixture.home : fixture.away)}</span>
            <input
              type="number"
              inputMode="numeric"
              min={0}
              max={fixture.best_of}
              required
              value={score[side]}
              onInput={(event) => set(side, event.currentTarget.value)}
            />
          </label>
        ))}
      </div>
      {corrects ? (
        <fieldset>
          <legend>{w("referee.then")}</legend>
          {(["again", "keep"] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="then" checked={then === one} onChange={() => setThen(one)} />
              {w(`referee.${one}`)}
            </label>
          ))}
        </fieldset>
      ) : (
        <label class="cup-walkover">
          <input type="checkbox" checked={walkover} onChange={(event) => setWalkover(event.currentTarget.checked)} />
          {w("referee.walkover")}
        </label>
      )}
      <button class="primary" type="submit">
        {w(corrects ? "referee.correct" : "referee.enter")}
      </button>
    </form>
  );
}

function Withdrawal({ tournament, send }: { tournament: Tournament; send: Send }) {
  const [name, setName] = useState("");
  const here = tournament.entrants.filter(({ withdrawn }) => !withdrawn);
  return (
    <section>
      <h2>{w("referee.withdraw")}</h2>
      <label>
        {w("referee.who")}
        <select value={name} onChange={(event) => setName(event.currentTarget.value)}>
          <option value="">{w("referee.choose")}</option>
          {here.map((entrant) => (
            <option key={entrant.number}>{entrant.name}</option>
          ))}
        </select>
      </label>
      {name !== "" && (
        <Sure
          key={name}
          label={w("referee.withdraw.do", { name })}
          onSure={async () => {
            if (await send({ withdraw: name }, w("referee.done"))) setName("");
          }}
        />
      )}
    </section>
  );
}

/** What can have a result: the matches that were played, the last first, then those that can be. */
function choices(tournament: Tournament): Fixture[] {
  const gone = new Set(tournament.entrants.filter(({ withdrawn }) => withdrawn).map(({ number }) => number));
  const found = matchesOf(tournament).filter(
    ({ state, home = 0, away = 0 }) =>
      state === "done" || state === "ready" || (state === "walkover" && !gone.has(home) && !gone.has(away)),
  );
  return [...found.filter(({ score }) => score).reverse(), ...found.filter(({ score }) => !score)];
}

function playersOf(tournament: Tournament, { home, away }: Fixture): string {
  return `${nameOf(tournament, home) ?? ""} – ${nameOf(tournament, away) ?? ""}`;
}

/** Sends a command; returns the message if that was refused. */
async function ask(command: object): Promise<string | undefined> {
  try {
    const body = JSON.stringify({ id: `page-${Date.now()}-${Math.random().toString(36).slice(2)}`, ...command });
    const answer = await fetch("/tournament.json", { method: "POST", headers: credentials(), body });
    if (answer.ok) return undefined;
    const said = (await answer.json()) as { reason?: string; message?: string };
    if (said.reason === "bad_value") return w("referee.score");
    return refusalText(said) || String(answer.status);
  } catch (error) {
    return String(error);
  }
}
