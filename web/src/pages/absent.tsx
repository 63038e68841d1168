// What `/setup` and `/learn` say on a node where the command that serves them does not run.
import { t } from "../text";

export function Absent({ what, command }: { what: "setup" | "learn"; command: string }) {
  return (
    <main class="not-found">
      <p class="brand">oche</p>
      <h1>{t(`${what}.absent`)}</h1>
      <p>
        {t("absent.start")} <code>{command}</code>
      </p>
      <a class="button primary" href="/?all">
        {t("home")}
      </a>
    </main>
  );
}
