// Who throws, with the score that everyone looks at, above the list of many players.
import type { ComponentChildren } from "preact";
import type { Match, Player } from "../match";
import { points, t } from "../text";
import { Head, isActive, LONG_NAME, PlayerName, SideName, sidesOf } from "./players";

/** From this number of sides on the scores beside each other are too small for the one that matters now. */
const MANY = 3;

/** Whether the thrower has a place of their own above the list. */
export function hasThrower(match: Match): boolean {
  return sidesOf(match.players).length >= MANY;
}

interface Props<P extends Player> {
  match: Match;
  players: P[];
  began?: boolean;
  /** The thrower's figures. */
  figures: (player: P) => ComponentChildren;
  /** Below them: the checkout, or the visits. */
  children?: ComponentChildren;
}

export function Thrower<P extends Player>({ match, players, began, figures, children }: Props<P>) {
  const sides = sidesOf(players);
  const side = sides.find((one) => isActive(match, one)) ?? sides.find(([{ name }]) => match.winners.includes(name));
  if (!side) return null;
  return (
    <section class="thrower" style={{ "--digits": Math.max(3, String(side[0].score).length) }}>
      <p class={side[0].name.length > LONG_NAME ? "name long" : "name"}>
        <SideName match={match} side={side} />
        {began && <Began here />}
      </p>
      <output class="score" aria-label={t("score")}>
        {points(side[0].score)}
      </output>
      <div class="now">{figures(side[0])}</div>
      {children}
    </section>
  );
}

interface HeadProps {
  match: Match;
  player: Player;
  title: string;
  /** At the end of the top line, such as the round. */
  extra: string | undefined;
  /** How many digits a score can have: it keeps their room, so that the name does not change. */
  digits: number;
  /** The scores are lives. */
  lives?: boolean;
  /** The player's sign, before the name. */
  children?: ComponentChildren;
}

/** The same as the head of a panel that shows what is the thrower's own, such as their sheet. */
export function ThrowerHead({ match, player, title, extra, digits, lives = false, children }: HeadProps) {
  return (
    <header class="thrower-head" style={{ "--digits": digits }}>
      <div class="about">
        <h1>{title}</h1>
        {extra && <span>{extra}</span>}
      </div>
      <p class={player.name.length > LONG_NAME ? "name long" : "name"}>
        {children}
        <PlayerName match={match} player={player} />
      </p>
      <output class={lives ? "score of-lives" : "score"} aria-label={t(lives ? "word.lives" : "score")}>
        {points(player.score)}
      </output>
    </header>
  );
}

/** Up to this number of sides a list has room for scores as large as the one that matters now has to be. */
const LARGE = 4;

interface ListHeadProps {
  match: Match;
  title: string;
  /** Something takes room from the list: tallies in its rows, or a board of squares above it. */
  crowded?: boolean;
  lives?: boolean;
  /** The sign of a player, before their name. */
  sign?: (player: Player) => ComponentChildren;
}

/** The head of a panel with a list of players: with the thrower's score where those of the list are small. */
export function ListHead({ match, title, crowded = false, lives = false, sign }: ListHeadProps) {
  const { players, turn, finished, winners, round } = match;
  const at = finished ? winners[0] : turn.player;
  const player = players.find(({ name }) => name === at);
  if (!player || (!crowded && sidesOf(players).length <= LARGE)) return <Head title={title} match={match} />;
  return (
    <ThrowerHead
      match={match}
      player={player}
      title={title}
      extra={round === undefined ? undefined : t("round", { n: round })}
      digits={Math.max(3, ...players.map(({ score }) => String(score).length))}
      lives={lives}
    >
      {sign?.(player)}
    </ThrowerHead>
  );
}

/** The sign of the one who began the leg; the others keep its place, so that nothing moves. */
export function Began({ here, labelled = false }: { here: boolean; labelled?: boolean }) {
  return (
    <span class={here ? "began" : "began not"}>
      {labelled && <small aria-hidden="true">{t("x01.first")}</small>}
      <span aria-hidden="true">●</span>
      {here && <span class="spoken"> {t("x01.began")}</span>}
    </span>
  );
}

/** One number with its label, which is only spoken where there is no room for it. */
export function Value({ label, value, short = false }: { label: string; value: string; short?: boolean }) {
  return (
    <span class="value">
      {short ? <span class="spoken">{label} </span> : <small>{label}</small>}
      <b>{value}</b>
    </span>
  );
}

/** Won of those that are needed, as dots; as a number where the dots would be too many. */
export function Dots({ label, won, needed }: { label: string; won: number; needed: number }) {
  return (
    <span class="dots">
      <small>{label}</small>
      <span class="spoken">{t("x01.to_win", { n: won, of: needed })}</span>
      {needed > DOTS ? (
        <b aria-hidden="true">
          {won}/{needed}
        </b>
      ) : (
        Array.from({ length: needed }, (_, i) => <i key={i} class={i < won ? "won" : ""} aria-hidden="true" />)
      )}
    </span>
  );
}

const DOTS = 5;

/** The sets and legs that a player has won of those that are needed; nothing in a single leg. */
export function Won({ match, player }: { match: Match; player: Player }) {
  if (!match.to_win) return null;
  const { legs, sets = 1 } = match.to_win;
  return (
    <span class="won-so-far">
      {sets > 1 && <Dots label={t("x01.sets")} won={player.sets ?? 0} needed={sets} />}
      {legs > 1 && <Dots label={t("x01.legs")} won={player.legs ?? 0} needed={legs} />}
    </span>
  );
}

/** The same as numbers, where there is no room for dots: sets and legs, or legs alone. */
export function WonInShort({ match, player }: { match: Match; player: Player }) {
  if (!match.to_win) return null;
  const { legs, sets = 1 } = match.to_win;
  const won = [...(sets > 1 ? [player.sets ?? 0] : []), ...(legs > 1 ? [player.legs ?? 0] : [])].join(":");
  return <Value label={t(sets > 1 ? "x01.sets" : "x01.legs")} value={won} />;
}

/** As many as there is room for on every screen. */
const VISITS = 5;

/** The last visits, the latest one first and brightest. */
export function Visits({ label, visits }: { label: string; visits: number[] }) {
  return (
    <span class="visits">
      <small>{label}</small>
      {/* Always as many places, so that nothing moves. */}
      <span class="row">
        {Array.from({ length: VISITS }, (_, i) => (
          <b key={i}>{visits.at(-1 - i) ?? (i ? "" : "–")}</b>
        ))}
      </span>
    </span>
  );
}
