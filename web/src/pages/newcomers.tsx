// Who was added with a code and is not confirmed yet: seen on every scoreboard, decided on by a referee.
import { useState } from "preact/hooks";
import { decide, isReferee } from "../access";
import type { Newcomer } from "../match";
import type { Table } from "../table";
import { t } from "../text";

/** How many are shown at once; the others follow when these are decided on. */
const SHOWN = 3;

export function Newcomers({ table }: { table: Table }) {
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const all = table.newcomers;
  if (all.length === 0) return null;
  const shown = all.slice(0, SHOWN);
  const rest = all.slice(SHOWN);

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
          {buttons(rest)}
        </p>
      )}
      {refused && <p role="alert">{refused}</p>}
    </div>
  );
}
