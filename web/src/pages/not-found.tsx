import { t } from "../text";

/** The address names a board that this node does not have. */
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
