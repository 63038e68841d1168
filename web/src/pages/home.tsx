// `/`: which boards there are. A node with one board goes straight to it.
import { useEffect } from "preact/hooks";
import type { Bus } from "../bus";
import type { NodeStatus } from "../match";
import { gameTitle } from "../game-title";
import { BoardClient, useBus } from "../board-client";
import { labelled, t } from "../text";
import { Brand } from "../venue";
import { DamageBanner } from "./banner";
import { LanguageChoice } from "./language";
import { troubleOf } from "./trouble";

export function HomePage({ bus, node }: { bus: Bus; node: string }) {
  useBus(bus);
  const boards = boardsOf(bus, node);
  const only = bus.settled && boards.length === 1 ? boards[0] : undefined;
  const trouble = troubleOf(bus, node);
  const version = bus.read<NodeStatus>(`oche/${node}/status`)?.version;
  const stay = new URLSearchParams(location.search).has("all");
  useEffect(() => {
    if (only !== undefined && !stay) location.replace(`/board/${only}${location.search}`);
  }, [only, stay]);
  return (
    <div class="page home">
      {bus.connected && <DamageBanner bus={bus} node={node} />}
      <header class="bar">
        <Brand />
        <a href="/history">{t("past")}</a>
        <LanguageChoice />
      </header>
      <main>
        <h1>{t("boards")}</h1>
        {(!bus.settled || trouble) && <p role="status">{t(trouble ?? "connecting")}</p>}
        {bus.settled && !trouble && boards.length === 0 && <p>{t("boards.none")}</p>}
        <ul class="boards">
          {boards.map((board) => (
            <li key={board}>
              <BoardCard client={new BoardClient(bus, node, board)} />
            </li>
          ))}
        </ul>
      </main>
      {version && <footer class="version">oche {version}</footer>}
    </div>
  );
}

function BoardCard({ client }: { client: BoardClient }) {
  const { match, status, board } = client;
  return (
    <article class="card">
      <h2>{board}</h2>
      <p>
        {match ? labelled(gameTitle(match.game), match.players.map(({ name }) => name).join(", ")) : t("empty.board")}
      </p>
      <p class={`state ${status?.state ?? "offline"}`}>
        {[status?.model, t(`board.${status?.state ?? "offline"}`)].filter(Boolean).join(" · ")}
      </p>
      <nav>
        <a class="button primary" href={`/board/${board}`}>
          {t("open.scoreboard")}
        </a>
        <a class="button" href={`/board/${board}/control`}>
          {t("open.control")}
        </a>
      </nav>
    </article>
  );
}

/** The boards of a node that have a status, by name. */
export function boardsOf(bus: Bus, node: string): string[] {
  const topics = bus.topics(new RegExp(`^oche/${node}/board/[^/]+/status$`));
  return topics.map((topic) => topic.split("/")[3] ?? "").sort();
}
