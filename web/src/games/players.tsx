// The list of players for most games: a name, a large score, and some figures between them.
import type { ComponentChild } from "preact";
import { useContext } from "preact/hooks";
import type { Match, Player } from "../match";
import { decimal, points, t } from "../text";
import { Colours } from "./colours";
import { FittedName } from "./fitted-name";
import { sidesOf } from "./sides";

export { sidesOf };

export interface Figure {
  label: string;
  value: string;
}

interface Props<P extends Player> {
  match: Match;
  players: P[];
  figures?: (player: P) => Figure[];
  /** Instead of figures: anything, such as a bar. */
  between?: (player: P) => ComponentChild;
  /** A word that replaces the figures and greys out the player. */
  gone?: (player: P) => string | undefined;
  /** The middle part is tallies, which are in a line under the name for any number of players. */
  tallies?: boolean;
  /** In two columns each player has one line. */
  brief?: boolean;
  /** The scores are lives. */
  lives?: boolean;
  /** A board above the list leaves it half of the height: many players are in two columns of short lines. */
  below?: boolean;
}

/** Whether one of them is the current player. */
export function isActive(match: Match, side: Player[]): boolean {
  return !match.finished && side.some(({ name }) => name === match.turn.player);
}

/** Whether one of them must act in the turn of another player, such as choose a target for them. */
function isActing({ finished, turn }: Match, side: Player[]): boolean {
  return !finished && turn.actor !== turn.player && side.some(({ name }) => name === turn.actor);
}

/** A value of more characters than this, such as a list of numbers, is set smaller: the score needs the room. */
const LONG = 10;

function isLong({ value }: Figure): boolean {
  return value.length > LONG;
}

/** From this number of players on there are two columns. */
const ONE_COLUMN = 8;

/** The same below a board of squares. */
const ONE_BELOW = 4;

/** Up to this number of rows a line has room for something below or above its figures; beyond, it has one line. */
const TWO_LINES = 6;

/** A name with more letters can have smaller ones. */
export const LONG_NAME = 9;

export function Players<P extends Player>({
  match,
  players,
  figures,
  between,
  gone,
  tallies = false,
  brief = false,
  lives = false,
  below = false,
}: Props<P>) {
  const { winners } = match;
  const sides = sidesOf(players);
  const columns = sides.length > (below ? ONE_BELOW : ONE_COLUMN) ? 2 : 1;
  const rows = Math.ceil(sides.length / columns);
  const size = rows <= 2 ? "few" : rows <= 4 ? "some" : "many";
  const digits = Math.max(3, ...sides.map(([{ score }]) => String(score).length));
  const layout = ["players", size];
  if (sides.length === 1) layout.push("alone");
  if (columns > 1) layout.push("two-columns");
  else if (size === "many" && rows <= TWO_LINES) layout.push("high");
  if (sides.some(([player]) => (figures?.(player).length ?? 0) > 2)) layout.push("three-figures");
  if (tallies) layout.push("two-lines", "tallies");
  else if (columns > 1) layout.push(brief || below || rows > TWO_LINES ? "dense" : "two-lines");
  else if (size === "many" && sides.some(([player]) => figures?.(player).some(isLong))) layout.push("two-lines");
  return (
    <ol class={layout.join(" ")} style={{ "--rows": rows, "--columns": columns, "--digits": digits }}>
      {sides.map((side) => {
        const [player] = side;
        const left = gone?.(player);
        const won = winners.includes(player.name);
        const active = isActive(match, side);
        const lit = active || isActing(match, side);
        return (
          <li
            key={player.name}
            class={["player", lit && "active", left && "gone", won && "won"].filter(Boolean).join(" ")}
            aria-current={active ? "true" : undefined}
          >
            <span class={player.name.length > LONG_NAME ? "name long" : "name"}>
              <SideName match={match} side={side} />
            </span>
            <span class="between">
              {left && !won && <span class="word">{left}</span>}
              {!won && !left && between?.(player)}
              {!left &&
                figures?.(player).map(({ label, value }) => (
                  <span class={isLong({ label, value }) ? "figure long" : "figure"} key={label}>
                    <small>{label}</small>
                    <b>{value}</b>
                  </span>
                ))}
              {won && <strong class="word">{t("winner")}</strong>}
            </span>
            <output class={lives ? "score of-lives" : "score"} aria-label={t(lives ? "word.lives" : "score")}>
              {points(player.score)}
            </output>
          </li>
        );
      })}
    </ol>
  );
}

/** More mates than these have smaller names. */
const MATES = 2;

/** The name of a player, or those of a team, with the current one highlighted. */
export function SideName({ match, side }: { match: Match; side: [Player, ...Player[]] }) {
  if (side.length === 1) return <PlayerName match={match} player={side[0]} />;
  return (
    <span
      class={side.length > MATES ? "mates several" : "mates"}
      role="group"
      aria-label={t("team", { n: side[0].team ?? 0 })}
    >
      {side.map((player) => (
        <span key={player.name} class={isActive(match, [player]) ? "mate throws" : "mate"}>
          <PlayerName match={match} player={player} />
        </span>
      ))}
    </span>
  );
}

/** A player's name, with the sign of a bot or of the daemon's player before it. */
export function PlayerName({ match, player }: { match: Match; player: Player }) {
  const skill = match.bots?.[player.name];
  const follows = match.ghosts?.[player.name];
  const own = useContext(Colours)[player.name]?.colour;
  return (
    <>
      {player.house && <ThreeHeads />}
      <FittedName name={player.name} match={match.match} beside={String(player.score).length} own={own} />
      {skill !== undefined && (
        <span class="bot" title={follows ? t(`ghost.${follows}`) : `${decimal(skill, 0)} mm`}>
          {t(follows === "record" ? "ghost" : "start.bot")}
        </span>
      )}
    </>
  );
}

/** Cerberus: three heads with pricked ears, one collar. */
function ThreeHeads() {
  const head = "M-9 10V-2L-11-13-4-8H4L11-13 9-2V10L4 17H-4Z";
  return (
    <svg class="heads" viewBox="0 0 64 40" aria-hidden="true">
      <path d={head} transform="translate(14 17) scale(.82)" />
      <path d={head} transform="translate(50 17) scale(.82)" />
      <path class="front" d={head} transform="translate(32 20)" />
      <circle class="eye" cx="28" cy="20" r="1.8" />
      <circle class="eye" cx="36" cy="20" r="1.8" />
    </svg>
  );
}

/** A title with more letters has two lines. */
const TITLE = 70;

/** The name of the game, the round, and the rest of the top line. */
export function Head({ title, match, extra }: { title: string; match: Match; extra?: string | undefined }) {
  const beside = [extra, match.round === undefined ? undefined : t("round", { n: match.round })].filter(Boolean);
  const style = { "--letters": title.length, "--beside": beside.join(" ").length };
  return (
    <header class="panel-head" style={style}>
      <h1 class={title.length > TITLE ? "long" : undefined}>{title}</h1>
      {beside.map((words) => (
        <span key={words}>{words}</span>
      ))}
    </header>
  );
}
