// `/pair`, and every page for a browser without a login: the form for a code or a password.
import { useRef, useState } from "preact/hooks";
import { storeUser, type StoredUser, pair } from "../access";
import { t } from "../text";
import { LanguageChoice } from "./language";

export function PairPage({ onDone }: { onDone: () => void }) {
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const code = useRef<HTMLInputElement>(null);
  const name = useRef<HTMLInputElement>(null);
  const user = useRef<HTMLInputElement>(null);
  const password = useRef<HTMLInputElement>(null);
  const shown = new URLSearchParams(location.search).get("code") ?? "";

  function logIn(found: StoredUser): void {
    storeUser(found);
    onDone();
  }

  async function withCode(event: Event): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const found = await pair(code.current?.value ?? "", name.current?.value ?? "");
    setBusy(false);
    if (typeof found === "string") setRefused(found);
    else logIn(found);
  }

  function withPassword(event: Event): void {
    event.preventDefault();
    logIn({ user: user.current?.value ?? "", password: password.current?.value ?? "" });
  }

  return (
    <div class="page home">
      <header class="bar">
        <p class="brand">oche</p>
        <LanguageChoice />
      </header>
      <main class="pairing">
        <h1>{t("pair.title")}</h1>
        <p>{t("pair.how")}</p>
        <div class="refusal" role="alert">
          {refused}
        </div>
        <form onSubmit={withCode}>
          <label>
            <span>{t("pair.code")}</span>
            <input
              ref={code}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              required
              defaultValue={shown}
            />
          </label>
          <label>
            <span>{t("pair.name")}</span>
            <input ref={name} name="name" maxLength={64} autoComplete="nickname" />
          </label>
          <button class="primary" type="submit" disabled={busy}>
            {t("pair.in")}
          </button>
        </form>
        <details>
          <summary>{t("pair.password.have")}</summary>
          <form onSubmit={withPassword}>
            <label>
              <span>{t("pair.user")}</span>
              <input ref={user} name="user" autoComplete="username" required />
            </label>
            <label>
              <span>{t("pair.password")}</span>
              <input ref={password} name="password" type="password" autoComplete="current-password" required />
            </label>
            <button type="submit">{t("pair.in")}</button>
          </form>
        </details>
      </main>
    </div>
  );
}
