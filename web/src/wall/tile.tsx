// One board on the wall: what is played, the scores, whose turn it is; or why nothing is.
import { dartLabels } from "../board/picture";
import type { BoardClient } from "../board-client";
import { gameTitle } from "../game-title";
import { scoreboardOf } from "../games";
import { isActive, LONG_NAME, SideName } from "../games/players";
import { boardOfTurn } from "../games/seats";
import { sidesOf } from "../games/sides";
import type { Geometry } from "../geometry";
import { housesAway } from "../houses/news";
import type { Match, Player } from "../match";
import { faultOf } from "../pages/banner";
import { awaited } from "../pages/turn";
import { ShownByRules } from "../sound/shown";
import { points, t } from "../text";
import { fitting, shortName } from "./grid";

interface Props {
  client: BoardClient;
  geometry: Geometry;
  /** For how many players there is room. */
  room: number;
  /** There is no room for long names. */
  narrow: boolean;
}

export function Tile({ client, geometry, room, narrow }: Props) {
  const { match, status, board } = client;
  const fault = (status ? faultOf(status) : t("board.offline")) ?? housesAway(match);
  const turnAt = match && boardOfTurn(match);
  const title = match && (scoreboardOf(match.game).heading?.(match) ?? match.title ?? gameTitle(match.game));
  return (
    <article class={["tile", fault && "faulty", !match && "idle", match?.finished && "over"].filter(Boolean).join(" ")}>
      <header>
        <h2>{board}</h2>
        {title && (
          <p>
            {turnAt !== undefined && <span class="at-board">{t("turn.at", { board: turnAt })}</span>}
            {title.split(" · ").map((part) => (
              <span key={part}>{part}</span>
            ))}
          </p>
        )}
      </header>
      {match ? (
        <Playing match={match} geometry={geometry} room={fault ? room - 1 : room} narrow={narrow} fault={fault} />
      ) : (
        <p class="tile-idle">{fault ?? t("empty.board")}</p>
      )}
      <ShownByRules client={client} />
    </article>
  );
}

interface PlayingProps {
  match: Match;
  geometry: Geometry;
  room: number;
  narrow: boolean;
  fault: string | undefined;
}

function Playing({ match, geometry, room, narrow, fault }: PlayingProps) {
  const sides = sidesOf(match.players);
  const active = sides.findIndex((side) => isActive(match, side));
  const first = active < 0 ? sides.findIndex(([{ name }]) => match.winners.includes(name)) : active;
  const { shown, more } = fitting(sides, first, room);
  return (
    <>
      <ol class="tile-sides" style={{ "--places": shown.length, "--letters": lettersOf(shown) }}>
        {shown.map((side) => (
          <Side key={side[0].name} match={match} side={side} narrow={narrow} />
        ))}
      </ol>
      <footer>
        {fault ? (
          <p class="tile-fault">{fault}</p>
        ) : match.finished ? (
          <p class="tile-won">{awaited(match)}</p>
        ) : (
          <Turn match={match} geometry={geometry} />
        )}
        {more > 0 && <p class="tile-more">{narrow ? `+${more}` : t("wall.more", { n: more })}</p>}
      </footer>
    </>
  );
}

/** The letters of the longest name: all names of a tile have the size that this one has room for. */
function lettersOf(sides: Player[][]): number {
  return Math.max(8, ...sides.map((side) => side.map(({ name }) => name).join(" ").length));
}

interface SideProps {
  match: Match;
  side: [Player, ...Player[]];
  narrow: boolean;
}

function Side({ match, side, narrow }: SideProps) {
  const [player] = side;
  const visit = (player as { visits?: number[] }).visits?.at(-1);
  const won = match.winners.includes(player.name);
  const active = isActive(match, side);
  return (
    <li class={won ? "won" : active ? "active" : ""} aria-current={active ? "true" : undefined}>
      <span class={side.length > 1 || player.name.length > LONG_NAME ? "name long" : "name"}>
        {narrow && side.length === 1 && player.name.length > LONG_NAME ? (
          <span class="text">{shortName(player.name)}</span>
        ) : (
          <SideName match={match} side={side} />
        )}
      </span>
      {visit !== undefined && (
        <span class="tile-visit">
          <span class="spoken">{t(match.game === "cricket" ? "cricket.last" : "x01.last")} </span>
          {visit}
        </span>
      )}
      <span class="spoken">{t("score")} </span>
      <span class="score">{points(player.score)}</span>
    </li>
  );
}

/** The darts of the turn, or what it waits for. */
function Turn({ match, geometry }: { match: Match; geometry: Geometry }) {
  const { awaits, darts } = match.turn;
  const total = scoreboardOf(match.game).turnPoints?.(match);
  if (awaits !== "throw" && awaits !== "next" && darts.length === 0) return <p class="tile-awaits">{awaited(match)}</p>;
  return (
    <ol class="tile-darts">
      {dartLabels(match, geometry).map((label, i) => (
        <li key={i} class={label ? (label.long ? "long" : "") : "open"}>
          {label ? label.text : <span class="spoken">{t("dart.open", { n: i + 1 })}</span>}
        </li>
      ))}
      {total !== undefined && darts.length > 0 && <li class="tile-total">{total}</li>}
    </ol>
  );
}
