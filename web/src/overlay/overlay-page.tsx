// `/overlay/<board>`: the scores on a transparent page, for OBS and other programs that lay pages over a film.
import { useLayoutEffect, useRef } from "preact/hooks";
import { dartLabels } from "../board/picture";
import { type BoardClient, useBus } from "../board-client";
import { gameTitle } from "../game-title";
import { scoreboardOf } from "../games";
import { isActive, SideName } from "../games/players";
import { boardOfTurn } from "../games/seats";
import { sidesOf } from "../games/sides";
import type { Geometry } from "../geometry";
import type { Match } from "../match";
import { points, t } from "../text";
import { checkoutOf, columnsOf } from "./columns";
import { type Mistake, readSettings, type Settings } from "./settings";

interface Props {
  client: BoardClient;
  geometry: Geometry;
}

export function OverlayPage({ client, geometry }: Props) {
  useBus(client.bus);
  const { settings, mistakes } = readSettings(location.search);
  const { match, live } = client;
  const wrong = client.unknown
    ? [...mistakes.map(sentence), t("notfound", { board: client.board })]
    : mistakes.map(sentence);
  return (
    <main class={`overlay at-${settings.place} back-${settings.back}`} style={{ "--size": `${settings.size}px` }}>
      <h1 class="spoken">{client.board}</h1>
      {wrong.length > 0 && (
        <ul class="overlay-mistakes" role="alert">
          {wrong.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {wrong.length === 0 && match && (
        <Box match={match} geometry={geometry} settings={settings} live={live} key={settings.place} />
      )}
    </main>
  );
}

function sentence({ name, value, allowed }: Mistake): string {
  return value === undefined ? t("overlay.unknown", { name, allowed }) : t("overlay.value", { name, value, allowed });
}

interface BoxProps {
  match: Match;
  geometry: Geometry;
  settings: Settings;
  live: boolean;
}

function Box({ match, geometry, settings: { parts }, live }: BoxProps) {
  const box = useFit();
  const sides = sidesOf(match.players);
  const { heading } = scoreboardOf(match.game);
  const title = heading?.(match) ?? match.title ?? gameTitle(match.game);
  const turnAt = boardOfTurn(match);
  const columns = columnsOf(match, sides[0]?.[0] ?? match.players[0]!, parts);
  return (
    <section class={live ? "overlay-box" : "overlay-box stale"} ref={box} data-revision={match.revision}>
      {parts.has("title") && (
        <p class="overlay-title">
          <b>{title}</b>
          {turnAt !== undefined && <span class="at-board">{t("turn.at", { board: turnAt })}</span>}
          {match.round !== undefined && <span>{t("round", { n: match.round })}</span>}
        </p>
      )}
      <table>
        <thead class={columns.length ? "" : "spoken"}>
          <tr>
            <th scope="col">
              <span class="spoken">{t("overlay.player")}</span>
            </th>
            {columns.map(({ key, label }) => (
              <th scope="col" key={key}>
                {label}
              </th>
            ))}
            <th scope="col">
              <span class="spoken">{t("score")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sides.map((side) => {
            const won = match.winners.includes(side[0].name);
            const active = isActive(match, side);
            return (
              <tr
                key={side[0].name}
                class={won ? "won" : active ? "active" : ""}
                aria-current={active ? "true" : undefined}
              >
                <th scope="row">
                  <span class="overlay-name">
                    <SideName match={match} side={side} />
                    {won && <small>{t("winner")}</small>}
                  </span>
                </th>
                {columnsOf(match, side[0], parts).map(({ key, cell }) => (
                  <td key={key}>{cell}</td>
                ))}
                <td class="overlay-score">{points(side[0].score)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <Foot match={match} geometry={geometry} darts={parts.has("darts")} checkout={parts.has("checkout")} />
    </section>
  );
}

interface FootProps {
  match: Match;
  geometry: Geometry;
  darts: boolean;
  checkout: boolean;
}

/** The darts of the turn with their points, and the way to finish. It keeps its place, so that nothing moves. */
function Foot({ match, geometry, darts, checkout }: FootProps) {
  if (!darts && !checkout) return null;
  const { turnPoints } = scoreboardOf(match.game);
  const total = turnPoints?.(match);
  const route = checkoutOf(match);
  return (
    <div class="overlay-foot">
      {darts && (
        <ol class="overlay-darts">
          {dartLabels(match, geometry).map((label, i) => (
            <li key={i} class={label ? "" : "open"}>
              {label ? label.text : <span class="spoken">{t("dart.open", { n: i + 1 })}</span>}
            </li>
          ))}
          {total !== undefined && <li class="overlay-total">{match.turn.darts.length > 0 ? total : ""}</li>}
        </ol>
      )}
      {checkout && route.length > 0 && !match.finished && (
        <p class="overlay-route">
          <small>{t("x01.checkout")}</small> <b>{route.join("  ")}</b>
        </p>
      )}
    </div>
  );
}

/** Shrinks an element, from its own corner, that is larger than the page: a source in OBS can have any size. */
function useFit() {
  const ref = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const node = ref.current;
    if (!node) return undefined;
    const fit = () => {
      const margin = 2 * parseFloat(getComputedStyle(node).marginLeft || "0");
      const scale = Math.min(1, (innerWidth - margin) / node.offsetWidth, (innerHeight - margin) / node.offsetHeight);
      node.style.setProperty("--fit", String(scale));
    };
    const watch = new ResizeObserver(fit);
    watch.observe(node);
    addEventListener("resize", fit);
    fit();
    return () => {
      watch.disconnect();
      removeEventListener("resize", fit);
    };
  }, []);
  return ref;
}
