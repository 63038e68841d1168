// The page for a board that this node does not have.
import { t } from "../text";

export function NotFound({ board }: { board: string }) {
  return (
    <main class="not-found">
      <p class="brand">oche</p>
      <h1>{t("notfound", { board })}</h1>
      <a class="button primary" href="/?all">
        {t("home")}
      </a>
    </main>
  );
}
