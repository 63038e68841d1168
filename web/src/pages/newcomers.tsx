// The unconfirmed users: shown on every scoreboard, confirmed or removed by a referee.
import { useState } from "preact/hooks";
import { decide, isReferee } from "../access";
import type { Newcomer } from "../match";
import type { BoardClient } from "../board-client";
import { t } from "../text";

/** How many users a phone lists one by one; the others are decided on together. */
const SHOWN = 2;

/** `short` is for a scoreboard: one line, and the next one when that is decided on. */
export function Newcomers({ client, short }: { client: BoardClient; short?: boolean }) {
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  // The newest first, so that an unexpected user is noticed at once.
  const all = [...client.newcomers].reverse();
  if (all.length === 0) return null;
  const count = short ? 1 : SHOWN;
  const shown = all.slice(0, count);
  const rest = all.slice(count);

  async function ask(decision: { confirm?: string[]; remove?: string[] }): Promise<void> {
    setBusy(true);
    setRefused(await decide(decision));
    setBusy(false);
  }

  function buttons(users: Newcomer[]) {
    if (!isReferee()) return null;
    const names = users.map(({ user }) => user);
    return (
      <span>
        <button type="button" disabled={busy} onClick={() => ask({ confirm: names })}>
          {t("newcomer.confirm")}
        </button>
        <button type="button" class="danger" disabled={busy} onClick={() => ask({ remove: names })}>
          {t("newcomer.remove")}
        </button>
      </span>
    );
  }

  return (
    <div class="newcomers" role="status">
      {shown.map((one) => (
        <p key={one.user}>
          {t("newcomer", { name: one.name ?? one.user, role: t(`role.${one.role}`), from: one.from })}
          {buttons([one])}
        </p>
      ))}
      {rest.length > 0 && (
        <p>
          {t("newcomer.more", { n: rest.length })}
          {!short && buttons(rest)}
        </p>
      )}
      {refused && <p role="alert">{refused}</p>}
    </div>
  );
}
