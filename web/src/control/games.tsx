// The choice of a game: the last played first, then the families; and what the chosen one is about.
import { useState } from "preact/hooks";
import { type Key, language, maybe, t } from "../text";
import type { Option } from "./option";

type Words = Record<string, string>;

/** An entry of `/games.json`. A game of another package may have no family, and say nothing about itself. */
export interface GameAbout {
  name: string;
  title: string;
  family?: string;
  family_title?: Words;
  about?: Record<string, Words>;
  /** Minimum and maximum. */
  players: [number, number];
  options: Option[];
}

interface Props {
  games: GameAbout[];
  chosen: GameAbout;
  /** The names of the last games, the newest first. */
  recent: string[];
  /** How many play; a game by chance is one for them. */
  seats: number;
  onChoose: (name: string) => void;
}

const CARDS = ["aim", "turn", "end"];

/** More games than this are searched and folded. */
const FEW = 8;

export function GameChooser({ games, chosen, recent, seats, onChoose }: Props) {
  const [search, setSearch] = useState("");
  const choose = (name: string) => {
    setSearch("");
    onChoose(name);
  };
  const wanted = search.trim().toLocaleLowerCase();
  const found = games.filter((game) => titleOf(game).toLocaleLowerCase().includes(wanted));
  const offer = (game: GameAbout) => (
    <label key={game.name} class="choice">
      <input type="radio" name="game" checked={game === chosen} onChange={() => choose(game.name)} />
      <span>{titleOf(game)}</span>
    </label>
  );
  return (
    <fieldset class="games">
      <legend>{t("start.game")}</legend>
      {games.length > FEW && (
        <div class="find">
          <input
            type="search"
            value={search}
            placeholder={t("start.search")}
            aria-label={t("start.search")}
            onInput={(event) => setSearch(event.currentTarget.value)}
          />
          <button type="button" onClick={() => choose(byChance(games, chosen, seats).name)}>
            {t("start.surprise")}
          </button>
        </div>
      )}
      {wanted || games.length <= FEW ? (
        <div class="choices">{found.map(offer)}</div>
      ) : (
        groups(games, recent).map(({ title, group }) => (
          <details key={title} open={group.includes(chosen)}>
            <summary>{title}</summary>
            <div class="choices">{group.map(offer)}</div>
          </details>
        ))
      )}
      <p role="status">{found.length === 0 && t("start.nothing")}</p>
      {!wanted && <About game={chosen} />}
    </fieldset>
  );
}

/** The pitch, and the rules as three cards. */
function About({ game }: { game: GameAbout }) {
  const words = game.about?.[language];
  if (!words) return null;
  return (
    <div class="about">
      <p>{words["pitch"]}</p>
      <details>
        <summary>{t("start.rules")}</summary>
        <dl>
          {CARDS.map((card) => (
            <div key={card}>
              <dt>{t(`start.card.${card}` as Key)}</dt>
              <dd>{words[card]}</dd>
            </div>
          ))}
        </dl>
      </details>
    </div>
  );
}

/** The name of a game in the page's language. */
function titleOf({ name, title }: GameAbout): string {
  return maybe(`game.${name}`) ?? title;
}

/** Each game is in one group alone. */
function groups(games: GameAbout[], recent: string[]): { title: string; group: GameAbout[] }[] {
  const last = recent.flatMap((name) => games.filter((game) => game.name === name));
  const rest = new Map<string, GameAbout[]>();
  for (const game of games.filter((one) => !last.includes(one))) {
    const title = game.family_title?.[language] ?? t("start.others");
    rest.set(title, [...(rest.get(title) ?? []), game]);
  }
  const families = [...rest].map(([title, group]) => ({ title, group }));
  return last.length > 0 ? [{ title: t("start.recent"), group: last }, ...families] : families;
}

function byChance(games: GameAbout[], chosen: GameAbout, seats: number): GameAbout {
  const fits = games.filter(({ players: [fewest, most] }) => fewest <= seats && seats <= most);
  const others = fits.filter((game) => game !== chosen);
  return others[Math.floor(Math.random() * others.length)] ?? chosen;
}
