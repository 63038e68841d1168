// The scoreboard of every game without its own: it draws what the view says. `docs/displays.md` lists the words.
import { useRef } from "preact/hooks";
import { gameTitle } from "../game-title";
import { t } from "../text";
import { Players, sidesOf } from "./players";
import { AfterMatch } from "./records";
import type { Scoreboard } from "./scoreboard";
import { ListHead } from "./thrower";
import { Choices } from "./words/choices";
import { NumberList } from "./words/numbers";
import { countsLives } from "./unit";
import { Between, Called, Closed } from "./words/pictures";
import { hasSquares, SideSign, Squares } from "./words/squares";
import { type Fact, facts, figures, type Spoken } from "./words/view";

/** More figures than these do not fit under a name. */
const FIGURES = 3;

/** Up to this number of sides a row has room for tallies below a large score. */
const FEW = 2;

export const generic: Scoreboard<Spoken> = {
  lit: ({ turn: { targets = [], dangers = [] } }) => ({ targets, dangers }),

  awaited: ({ turn, finished, game }) =>
    !finished && turn.opening
      ? t(game === "bull_off" ? "bull.throw" : "awaits.opening", { name: turn.actor })
      : undefined,

  turnPoints: ({ turn }) => turn.scored,

  reached: figures,

  Panel({ match }) {
    const lives = countsLives(match);
    const squares = hasSquares(match);
    const tallies = match.players.some((player) => "marks" in player || "sea" in player || "owned" in player);
    return (
      <>
        <ListHead
          match={match}
          title={match.title ?? gameTitle(match.game)}
          crowded={squares || (tallies && sidesOf(match.players).length > FEW)}
          lives={lives}
          sign={({ name }) => <SideSign match={match} name={name} />}
        />
        <StableFacts match={match} />
        <Called match={match} />
        <Closed match={match} />
        <NumberList name="open" numbers={match.open} />
        <Squares match={match} />
        <Players
          match={match}
          players={match.players}
          tallies={tallies}
          figures={(player) => figures(player).slice(0, FIGURES)}
          gone={({ lives: left }) => (left === 0 ? t("player.out") : undefined)}
          between={(player) => <Between player={player} track={match.track} counted={lives} />}
          lives={lives}
          below={squares}
        />
      </>
    );
  },

  Control: Choices,

  Aside({ match }) {
    const thrower = match.players.find(({ name }) => name === match.turn.player);
    const own = thrower && !match.finished ? figures(thrower) : [];
    return (
      <section class="aside">
        <Facts match={match} more={roundOf(match)} />
        <Called match={match} />
        <Closed match={match} />
        <NumberList name="open" numbers={match.open} />
        <Squares match={match} />
        {thrower && !match.finished && (
          <div class="own">
            <b>{thrower.name}</b>
            {own.map(({ label, value }) => (
              <span key={label}>
                <small>{label}</small> {value}
              </span>
            ))}
            <Between player={thrower} track={match.track} />
          </div>
        )}
        {match.finished && <AfterMatch match={match} />}
      </section>
    );
  },
};

/** The round, which a television has at the top, and how many there are at most. */
function roundOf({ round, rounds, finished }: Spoken): Fact[] {
  if (round === undefined || finished) return [];
  return [{ label: t("round.short"), value: rounds ? `${round} / ${rounds}` : String(round) }];
}

/** With more letters than the first number the facts are set smaller, and again with more than the second. */
const LETTERS = [45, 100] as const;

/** The facts of a scoreboard. Once there was one in a match, their line stays, and so does the size of their letters:
 * nothing moves from dart to dart. */
function StableFacts({ match }: { match: Spoken }) {
  const told = useRef({ match: "", size: 0 });
  const shown = facts(match);
  if (told.current.match !== match.match && shown.length > 0) told.current = { match: match.match, size: 0 };
  if (told.current.match !== match.match) return null;
  const letters = shown.reduce((sum, { label, value }) => sum + label.length + value.length, 0);
  const size = Math.max(told.current.size, LETTERS.filter((most) => letters > most).length);
  told.current.size = size;
  return <Facts match={match} size={size} />;
}

/** `size` is how often they are set smaller. */
function Facts({ match, more = [], size = 0 }: { match: Spoken; more?: Fact[]; size?: number }) {
  return (
    <dl class={["facts", size > 0 && "long", size > 1 && "longest"].filter(Boolean).join(" ")}>
      {[...more, ...facts(match)].map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
