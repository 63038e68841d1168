// The cards of an idle screen: the last result, tonight's table, the records, and games to play.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type GameAbout, loadGames } from "../control/catalogue";
import { gameTitle } from "../game-title";
import { reachedAlone } from "../games/alone";
import { type MatchInfo, type PlayerFigures, request } from "../history/request";
import { decimal, labelled, language, points, t } from "../text";
import { type HouseRecord, lastResult, recordsOf, tableOf } from "./tonight";

interface Card {
  key: string;
  title: string;
  body: ComponentChildren;
}

/** How often the news are asked for while nobody plays. */
const NEWS_MS = 5 * 60_000;

/** How many games are proposed before the news come again. */
const PROPOSED = 3;

/** The cards that there is something on. What cannot be read, such as figures that are being counted, is left out. */
export function useCards(): Card[] {
  const [matches, setMatches] = useState<MatchInfo[]>([]);
  const [players, setPlayers] = useState<PlayerFigures[]>([]);
  const [games, setGames] = useState<GameAbout[]>([]);
  useEffect(() => {
    let here = true;
    const ask = async () => {
      const found = (await request<MatchInfo[]>("/history.json")).value ?? [];
      // Without matches there are no figures to ask for.
      const figures = found.length ? ((await request<PlayerFigures[]>("/players.json")).value ?? []) : [];
      const known = await loadGames();
      if (!here) return;
      setMatches(found);
      setPlayers(figures);
      setGames(proposed(known));
    };
    void ask();
    const timer = setInterval(() => void ask(), NEWS_MS);
    return () => {
      here = false;
      clearInterval(timer);
    };
  }, []);
  return [...news(matches, players), ...games.map(proposal)];
}

function news(matches: MatchInfo[], players: PlayerFigures[]): Card[] {
  const cards: Card[] = [];
  const last = lastResult(matches);
  if (last) {
    const others = last.players.filter((name) => !last.winners?.includes(name)).join(", ");
    cards.push({
      key: "last",
      title: t("idle.last"),
      body: (
        <>
          <p class="idle-large">{resultOf(last)}</p>
          <p>{others ? t("idle.against", { game: gameTitle(last.game), others }) : gameTitle(last.game)}</p>
        </>
      ),
    });
  }
  const table = tableOf(matches, new Date());
  if (table.length > 1) {
    cards.push({
      key: "tonight",
      title: t("idle.tonight"),
      body: (
        <ol class="idle-table">
          {table.map(({ name, won, played }) => (
            <li key={name}>
              <span>{name}</span>
              <b>{t("idle.won", { won, played })}</b>
            </li>
          ))}
        </ol>
      ),
    });
  }
  const records = recordsOf(players);
  if (records.length > 0) {
    cards.push({
      key: "records",
      title: t("idle.records"),
      body: (
        <ol class="idle-table">
          {records.map(({ kind, value, name }) => (
            <li key={kind}>
              <span>{labelled(t(`idle.record.${kind}`), name)}</span>
              <b>{valueOf(kind, value)}</b>
            </li>
          ))}
        </ol>
      ),
    });
  }
  return cards;
}

/** Who has won, or what one player alone has reached. */
function resultOf(match: MatchInfo): string {
  const alone = reachedAlone(match);
  if (alone) return t("alone.score", { name: alone.name, n: points(alone.score) });
  const { winners = [] } = match;
  return t(winners.length > 1 ? "won.shared" : "won", { names: winners.join(" & ") });
}

function valueOf(kind: HouseRecord["kind"], value: number): string {
  return kind === "mpr" ? decimal(value, 2) : String(value);
}

/** Other games on each day, so that a screen that is always on proposes all of them in time. */
function proposed(games: GameAbout[]): GameAbout[] {
  const told = games.filter(({ about }) => about?.[language]?.pitch);
  const day = Math.floor(Date.now() / 86_400_000);
  return Array.from({ length: Math.min(PROPOSED, told.length) }, (_, i) => told[(day * PROPOSED + i) % told.length]!);
}

function proposal({ name, about }: GameAbout): Card {
  return {
    key: `game-${name}`,
    title: t("idle.play"),
    body: (
      <>
        <p class="idle-large">{gameTitle(name)}</p>
        <p>{about?.[language]?.pitch}</p>
      </>
    ),
  };
}
