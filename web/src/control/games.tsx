// The choice of a game: favourites and the last played first, then the families; and what the chosen one is about.
import type { ComponentChild } from "preact";
import { useState } from "preact/hooks";
import { language, t } from "../text";
import { type Can, differs, type GameAbout, minutes, playersOf, titleOf, unplayable, wordsOf } from "./catalogue";
import { Cards } from "./rules";

interface Props {
  games: GameAbout[];
  chosen: GameAbout;
  /** The names of the last games, the newest first. */
  recent: string[];
  /** The names of the favourites of this phone. */
  favourites: string[];
  /** How many play; a game by chance is one for them. */
  seats: number;
  can: Can;
  onChoose: (name: string) => void;
  onFavourite: (name: string) => void;
}

/** More games than this are searched and folded. */
const FEW = 8;

export function GameChooser({ games, chosen, recent, favourites, seats, can, onChoose, onFavourite }: Props) {
  const [search, setSearch] = useState("");
  // Open for who has not played yet, and then as it was left: the rules of any game are one touch away.
  const [rules, setRules] = useState(recent.length === 0);
  const choose = (name: string) => {
    setSearch("");
    onChoose(name);
  };
  const wanted = search.trim().toLocaleLowerCase();
  const found = games.filter((game) => titleOf(game).toLocaleLowerCase().includes(wanted));
  const offer = (game: GameAbout) => (
    <Offer key={game.name} game={game} seats={seats} can={can} checked={game === chosen} onChoose={choose} />
  );
  const about = (
    <About
      game={chosen}
      seats={seats}
      can={can}
      favourite={favourites.includes(chosen.name)}
      rules={rules}
      onRules={setRules}
      onFavourite={() => onFavourite(chosen.name)}
    />
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
          <button type="button" onClick={() => choose(byChance(games, chosen, seats, can).name)}>
            {t("start.surprise")}
          </button>
        </div>
      )}
      {wanted ? (
        <div class="choices">{found.map(offer)}</div>
      ) : games.length <= FEW ? (
        <>
          <div class="choices">{games.map(offer)}</div>
          {about}
        </>
      ) : (
        groups(games, favourites, recent).map(({ title, group }) => (
          <Group key={title} title={title} chosen={group.includes(chosen)} about={about}>
            {group.map(offer)}
          </Group>
        ))
      )}
      <p role="status">{found.length === 0 && t("start.nothing")}</p>
    </fieldset>
  );
}

interface GroupProps {
  title: string;
  chosen: boolean;
  about: ComponentChild;
  children: ComponentChild;
}

/** The games of a family. That of the chosen game is open, with what it is about, where the finger is. */
function Group({ title, chosen, about, children }: GroupProps) {
  return (
    <details open={chosen}>
      <summary>{title}</summary>
      <div class="choices">{children}</div>
      {chosen && about}
    </details>
  );
}

interface OfferProps {
  game: GameAbout;
  seats: number;
  can: Can;
  checked: boolean;
  onChoose: (name: string) => void;
}

/** A game with its players and minutes. One that this board cannot play can be chosen too: then it says why. */
function Offer({ game, seats, can, checked, onChoose }: OfferProps) {
  const away = unplayable(game, can) !== undefined;
  const [fewest, most] = game.players;
  const time = minutes(game, Math.min(Math.max(seats, fewest), most));
  const title = titleOf(game);
  return (
    <label class={away ? "choice away" : "choice"}>
      <input type="radio" name="game" aria-label={title} checked={checked} onChange={() => onChoose(game.name)} />
      <span>
        <b>{title}</b>
        <small>
          {away
            ? t("start.away")
            : [playersOf(game), time && t("start.minutes", { n: time })].filter(Boolean).join(" · ")}
        </small>
      </span>
    </label>
  );
}

interface AboutProps {
  game: GameAbout;
  seats: number;
  can: Can;
  favourite: boolean;
  onFavourite: () => void;
  /** Whether the cards are open. */
  rules: boolean;
  onRules: (open: boolean) => void;
}

/** The pitch, why it cannot be played here, and the rules as three cards. */
function About({ game, seats, can, favourite, onFavourite, rules, onRules }: AboutProps) {
  const words = wordsOf(game);
  const why = unplayable(game, can) ?? differs(game, can);
  const [fewest, most] = game.players;
  const time = seats >= fewest && seats <= most ? minutes(game, seats) : undefined;
  return (
    <div class="about">
      <div class="pitch">
        <p>{words?.["pitch"]}</p>
        <button
          type="button"
          class="quiet bare"
          aria-pressed={favourite}
          aria-label={t("start.favourite", { game: titleOf(game) })}
          onClick={onFavourite}
        >
          {favourite ? "★" : "☆"}
        </button>
      </div>
      {why && <p class="why">{why}</p>}
      <p class="facts-of">
        {t("start.for", { n: playersOf(game) })}
        {time !== undefined && ` · ${t("start.about.minutes", { n: time, players: seats })}`}
      </p>
      {words && (
        <details open={rules} onToggle={(event) => onRules(event.currentTarget.open)}>
          <summary>{t("start.rules")}</summary>
          <Cards words={words} />
        </details>
      )}
    </div>
  );
}

/** Each game is in one group alone. */
function groups(games: GameAbout[], favourites: string[], recent: string[]): { title: string; group: GameAbout[] }[] {
  const named = (names: string[]) => names.flatMap((name) => games.filter((game) => game.name === name));
  const liked = named(favourites);
  const last = named(recent).filter((game) => !liked.includes(game));
  const rest = new Map<string, GameAbout[]>();
  for (const game of games.filter((one) => !liked.includes(one) && !last.includes(one))) {
    const title = game.family_title?.[language] ?? t("start.others");
    rest.set(title, [...(rest.get(title) ?? []), game]);
  }
  return [
    { title: t("start.favourites"), group: liked },
    { title: t("start.recent"), group: last },
    ...[...rest].map(([title, group]) => ({ title, group })),
  ].filter(({ group }) => group.length > 0);
}

/** Another game for so many players, that this board can play. */
function byChance(games: GameAbout[], chosen: GameAbout, seats: number, can: Can): GameAbout {
  const fits = games.filter(
    (game) => game.players[0] <= seats && seats <= game.players[1] && unplayable(game, can) === undefined,
  );
  const others = fits.filter((game) => game !== chosen);
  return others[Math.floor(Math.random() * others.length)] ?? chosen;
}
