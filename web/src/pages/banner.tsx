// The banner at the top for an outdated state or a board with an error. It does not cover the page.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Bus } from "../bus";
import { houseNews } from "../houses/news";
import type { BoardStatus, NodeStatus } from "../match";
import type { BoardClient } from "../board-client";
import { dartName, type Key, maybe, t } from "../text";
import { troubleOf } from "./trouble";

export function Banner({ client }: { client: BoardClient }) {
  if (!client.live) {
    return <LostBanner trouble={troubleOf(client.bus, client.node)} known={client.match !== undefined} />;
  }
  const { status } = client;
  const stuck = status?.stuck?.length
    ? `${t("board.stuck", { beds: status.stuck.map((bed) => dartName(bed)).join(", ") })}. ${t("board.stuck.more")}`
    : "";
  const wrong = status && faultOf(status);
  const away = houseNews(client.match);
  if (away && !stuck && !wrong) {
    return (
      <Strip kind="away">
        <strong>{away}</strong>
      </Strip>
    );
  }
  if (!status || (!stuck && !wrong)) {
    const isPlayed = client.match !== undefined && !client.match.finished;
    return isPlayed ? null : <DamageBanner bus={client.bus} node={client.node} />;
  }
  return (
    <Strip kind="fault">
      <strong>{[wrong, stuck].filter(Boolean).join(" ")}</strong>
      {status.message && <span class="details">{status.message}</span>}
    </Strip>
  );
}

/** While the page has no connection; `known` if it shows what it knew before. */
export function LostBanner({ trouble, known }: { trouble: Key | undefined; known: boolean }) {
  return (
    <Strip kind="lost">
      <span class="pulse" aria-hidden="true" />
      <strong>{known ? t("reconnecting") : t("connecting")}</strong>
      {trouble && <span>{t(trouble)}</span>}
      {known && <span>{t("reconnecting.more")}</span>}
    </Strip>
  );
}

/** What to do about a damaged journal, with the newest message. It stays until the damage is gone, so no match shows it. */
export function DamageBanner({ bus, node }: { bus: Bus; node: string }) {
  const damaged = bus.read<NodeStatus>(`oche/${node}/status`)?.damaged ?? [];
  const newest = damaged.at(-1);
  if (!newest) return null;
  return (
    <Strip kind="fault">
      <strong>{t("damage")}</strong>
      <span class="details">
        {newest.message}
        {damaged.length > 1 && ` (+${damaged.length - 1})`}
      </span>
    </Strip>
  );
}

/** A board's error and what to do, in the page's language; undefined without an error. */
export function faultOf({ state, reason }: BoardStatus): string | undefined {
  if (state === "online" && reason === undefined) return undefined;
  return maybe(`fault.${reason}`) ?? t(`board.${state === "online" ? "faulty" : state}`);
}

/**
 * A strip at the top of the page, which is pushed down.
 *
 * A page on a wall cannot be scrolled: `--height-left` is what is left of its height, in parts of it, and the stage shrinks.
 */
function Strip({ kind, children }: { kind: "lost" | "fault" | "away"; children: ComponentChildren }) {
  const strip = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const node = strip.current;
    const page = node?.parentElement;
    if (!node || !page) return undefined;
    const put = () => page.style.setProperty("--height-left", String(1 - node.offsetHeight / innerHeight));
    const watch = new ResizeObserver(put);
    watch.observe(node);
    addEventListener("resize", put);
    put();
    return () => {
      watch.disconnect();
      removeEventListener("resize", put);
      page.style.removeProperty("--height-left");
    };
  }, []);
  return (
    <div class={`banner ${kind}`} role={kind === "lost" ? "alert" : "status"} ref={strip}>
      {children}
    </div>
  );
}
