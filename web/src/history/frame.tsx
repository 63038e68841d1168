// The frame of all pages of the history.
import type { ComponentChildren } from "preact";
import { storedUser } from "../access";
import { LanguageChoice } from "../pages/language";
import { t } from "../text";

interface Props {
  title: string;
  at?: "history" | "players";
  /** The board of the page, else that from whose page somebody came, or whose matches they look at. */
  board?: string;
  problem?: string | undefined;
  children: ComponentChildren;
}

export function Frame({ title, at, board: own, problem, children }: Props) {
  document.title = `${title} · oche`;
  const board = own ?? new URLSearchParams(location.search).get("board");
  return (
    <div class="page past">
      <header class="bar">
        <a class="brand" href="/?all">
          oche
        </a>
        <nav aria-label={t("past")}>
          {(["history", "players"] as const).map((name) => (
            <a key={name} href={`/${name}`} aria-current={name === at ? "page" : undefined}>
              {t(`past.${name}`)}
            </a>
          ))}
        </nav>
        <LanguageChoice />
      </header>
      <main>
        {board && (
          <a class="to-control" href={`/board/${board}${storedUser()?.role === "display" ? "" : "/control"}`}>
            ‹ {t("past.to.control", { board })}
          </a>
        )}
        <h1>{title}</h1>
        {problem && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        {children}
      </main>
    </div>
  );
}
