// What players do on their phones: they sign up while the list of entrants is open, and withdraw at any moment.
import { useState } from "preact/hooks";
import { credentials, storedUser } from "../access";
import { local } from "../pages/join";
import { QrCode } from "../pages/qr";
import { refusalText } from "../text";
import { Name } from "./name";
import type { Tournament } from "./state";
import { Sure } from "./sure";
import { w } from "./words";

/** Nothing for a display, which may only look. `onMe` is called with the name that was entered. */
export function SignUp({ tournament, me, onMe }: { tournament: Tournament; me: string; onMe: (me: string) => void }) {
  const user = storedUser();
  const [name, setName] = useState(user?.name ?? me);
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  if (user?.role === "display") return null;
  const wanted = name.trim();
  const entered = tournament.entrants.some((entrant) => entrant.name === wanted);

  async function send(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const found = await ask(entered ? { withdraw: wanted } : { enter: wanted });
    setRefused(found);
    if (found === undefined) onMe(entered ? "" : wanted);
    setBusy(false);
  }

  return (
    <form class="cup-me" onSubmit={send}>
      <label>
        {w("me")}
        <input
          value={name}
          maxLength={64}
          autoComplete="nickname"
          required
          readOnly={user?.role === "player" && user.name !== undefined}
          onInput={(event) => setName(event.currentTarget.value)}
        />
      </label>
      <p role="status">{entered && w("enter.done")}</p>
      <button class={entered ? "" : "primary"} type="submit" disabled={busy}>
        {w(entered ? "enter.leave" : "enter")}
      </button>
      <p class="refusal" role="alert">
        {refused}
      </p>
    </form>
  );
}

/** Up to so many names a wall shows in one column, in two and in three; the fewer, the larger. */
const COLUMNS = [
  [8, "in-one"],
  [20, "in-two"],
  [48, "in-three"],
] as const;

/** Who has entered so far. */
export function Entrants({ tournament }: { tournament: Tournament }) {
  const { entrants } = tournament;
  const columns = COLUMNS.find(([most]) => entrants.length <= most)?.[1];
  return (
    <ol class={["cup-names", columns].filter(Boolean).join(" ")}>
      {entrants.map(({ number }) => (
        <li key={number}>
          <Name tournament={tournament} number={number} />
        </li>
      ))}
    </ol>
  );
}

/** On a wall: where a phone enters. No phone can open an address with localhost, so there it is a command. */
export function Invitation() {
  const address = `${location.origin}/tournament`;
  return (
    <section class="cup-invite">
      {!local && <QrCode text={address} />}
      <p>{w(local ? "enter.here" : "enter.phone")}</p>
      {local ? (
        <code>oche tournament enter {w("none.name")}</code>
      ) : (
        <b class="address">{address.replace(/^https?:\/\//, "")}</b>
      )}
    </section>
  );
}

/** After the draw a player withdraws here, as the entrant `me`; referees have a page of their own for that. */
export function Leave({ tournament, me }: { tournament: Tournament; me: string }) {
  const [refused, setRefused] = useState<string>();
  const user = storedUser();
  const entrant = tournament.entrants.find(({ name }) => name === me);
  const isMe = user?.role === "player" && user.name?.toLowerCase() === me.toLowerCase();
  if (tournament.state !== "running" || !isMe || entrant === undefined || entrant.withdrawn) return null;
  return (
    <>
      <Sure label={w("me.leave")} onSure={async () => setRefused(await ask({ withdraw: me }))} />
      <p class="refusal" role="alert">
        {refused}
      </p>
    </>
  );
}

/** Sends a command; returns the message if that was refused. */
async function ask(command: { enter: string } | { withdraw: string }): Promise<string | undefined> {
  try {
    const answer = await fetch("/tournament/enter", {
      method: "POST",
      headers: credentials(),
      body: JSON.stringify(command),
    });
    if (answer.ok) return undefined;
    const said = (await answer.json()) as { reason?: string; message?: string };
    if (said.reason === "bad_players") return w("enter.known");
    if (said.reason === "not_allowed") return w("enter.own");
    return refusalText(said) || String(answer.status);
  } catch (error) {
    return String(error);
  }
}
