// The scoreboard of every game without its own: it draws what the view says. `docs/displays.md` lists the words.
import type { Match } from "../match";
import { maybe } from "../text";
import { Head, Players } from "./players";
import type { Scoreboard } from "./scoreboard";
import { Choices } from "./words/choices";
import { NumberList } from "./words/numbers";
import { Between, Called, Closed } from "./words/pictures";
import { Squares } from "./words/squares";
import { facts, figures, type Spoken } from "./words/view";

/** More figures than these do not fit under a name. */
const FIGURES = 3;

export const generic: Scoreboard<Spoken> = {
  lit: ({ turn: { targets = [], dangers = [] } }) => ({ targets, dangers }),

  turnPoints: ({ turn }) => turn.scored ?? "",

  Panel({ match }) {
    const said = facts(match);
    const tallies = match.players.some((player) => "marks" in player || "sea" in player || "owned" in player);
    return (
      <>
        <Head title={match.title ?? gameTitle(match.game)} match={match} />
        {/* Always there, so that nothing moves when the first dart lands. */}
        <dl class="facts">
          {said.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <Called match={match} />
        <Closed match={match} />
        <NumberList name="open" numbers={match.open} />
        <Squares match={match} />
        <Players
          match={match}
          players={match.players}
          tallies={tallies}
          figures={(player) => figures(player).slice(0, FIGURES)}
          between={(player) => <Between player={player} />}
        />
      </>
    );
  },

  Control: Choices,
};

/** The game's title; for a game without a message, its name without the underscores. */
export function gameTitle(game: Match["game"]): string {
  return maybe(`game.${game}`) ?? game.replaceAll("_", " ").replace(/\b\w/g, (first) => first.toUpperCase());
}
