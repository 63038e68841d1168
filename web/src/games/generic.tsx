// The scoreboard of every game without its own: it draws what the view says. `docs/displays.md` lists the words.
import { useRef } from "preact/hooks";
import { gameTitle } from "../game-title";
import { t } from "../text";
import { Head, Players } from "./players";
import { AfterMatch } from "./records";
import type { Scoreboard } from "./scoreboard";
import { Choices } from "./words/choices";
import { NumberList } from "./words/numbers";
import { Between, Called, Closed, countsLives } from "./words/pictures";
import { Squares } from "./words/squares";
import { type Fact, facts, figures, type Spoken } from "./words/view";

/** More figures than these do not fit under a name. */
const FIGURES = 3;

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
    const tallies = match.players.some((player) => "marks" in player || "sea" in player || "owned" in player);
    return (
      <>
        <Head title={match.title ?? gameTitle(match.game)} match={match} />
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
          between={(player) => <Between player={player} track={match.track} counted={lives} />}
          lives={lives}
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

/** The facts of a scoreboard. Once there was one in a match, their line stays, so that nothing moves from dart to dart. */
function StableFacts({ match }: { match: Spoken }) {
  const told = useRef("");
  if (facts(match).length > 0) told.current = match.match;
  return told.current === match.match ? <Facts match={match} /> : null;
}

function Facts({ match, more = [] }: { match: Spoken; more?: Fact[] }) {
  return (
    <dl class="facts">
      {[...more, ...facts(match)].map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
