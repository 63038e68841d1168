// How a bot throws: with a skill, or with the hand of a player, of all their darts or of the newest month that is over;
// in X01 also with the very darts of a leg.
import type { HandOf, Skill } from "../result/rematch";
import { type Key, t } from "../text";

/** From a professional to a beginner, in mm. */
const RANGE = { best: 5, worst: 80 };
export const USUAL: Skill = 25;

/** Up to which spread in mm a word is meant: between its own (6.4, 8.7, 11.6, 15.7, 23.3) and that of the next. */
const UP_TO = { professional: 7, county: 10, league: 13, pub: 19, casual: 30 };

/** The month of a hand that the daemon takes for the newest one that is over. */
const LAST = "last";

/** What can be thrown of a player. The order of the keys is that of the stored choice. */
const WAYS: (Omit<HandOf, "hand"> & { words: Key })[] = [
  { words: "start.like.hand" },
  { month: LAST, words: "start.like.last" },
  { leg: "best", words: "start.like.leg.best" },
  { leg: "last", words: "start.like.leg.last" },
  { month: LAST, leg: "best", words: "start.like.leg.best_of_month" },
  { month: LAST, leg: "median", words: "start.like.leg.median_of_month" },
];

interface Props {
  /** The name of the bot. */
  name: string;
  skill: Skill;
  /** The people whose hands there may be. */
  people: string[];
  /** Whether legs are played that a ghost can throw again. */
  legs: boolean;
  onChange: (skill: Skill) => void;
}

export function SkillField({ name, skill, people, legs, onChange }: Props) {
  const offered = typeof skill === "number" || people.includes(skill.hand) ? people : [skill.hand, ...people];
  return (
    <div class="skill">
      {offered.length > 0 && (
        <select
          aria-label={t("start.like", { name })}
          value={typeof skill === "number" ? "" : JSON.stringify(skill)}
          onChange={(event) => onChange(chosen(event.currentTarget.value))}
        >
          <option value="">{t("start.like.skill")}</option>
          {offered.flatMap((hand) =>
            WAYS.filter(({ leg }) => legs || !leg || (typeof skill !== "number" && skill.leg === leg)).map(
              ({ words, ...way }) => (
                <option key={`${hand} ${words}`} value={JSON.stringify({ hand, ...way })}>
                  {t(words, { name: hand })}
                </option>
              ),
            ),
          )}
        </select>
      )}
      {typeof skill === "number" && (
        <label>
          <span class="spoken">{t("start.skill", { name })}</span>
          <input
            type="range"
            min={-RANGE.worst}
            max={-RANGE.best}
            step="1"
            value={-skill}
            aria-valuetext={skillName(skill)}
            onInput={(event) => onChange(-Number(event.currentTarget.value))}
          />
          <span>{skillName(skill)}</span>
        </label>
      )}
    </div>
  );
}

/** The default name of a bot: by its place. */
export function botName(skill: Skill, n: number): string {
  // A ghost does not have the name of its player: it would stay in the match when they are forgotten.
  return t(typeof skill === "number" ? "start.bot.name" : "start.ghost.name", { n });
}

function chosen(value: string): Skill {
  return value === "" ? USUAL : (JSON.parse(value) as Skill);
}

function skillName(spread: number): string {
  const word = (["professional", "county", "league", "pub", "casual"] as const).find((each) => spread <= UP_TO[each]);
  return `${t(`start.skill.${word ?? "beginner"}`)} · ${spread} mm`;
}
