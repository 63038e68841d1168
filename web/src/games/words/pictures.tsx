// The words of a view that have a picture: lives, marks, closed numbers, the targets that were called.
import { t } from "../../text";
import { NumberList } from "./numbers";
import { label, type Spoken, target } from "./view";

/** The most hearts that are drawn; more are a number. */
const HEARTS = 5;

/** What is between a player's name and their score, if the view says something that is drawn. `counted`: the score
 * is the lives. */
export function Between({
  player,
  track,
  counted = false,
}: {
  player: Spoken["players"][number];
  track: number | undefined;
  counted?: boolean;
}) {
  const { lives, marks, sea, owned, score } = player;
  return (
    <>
      {track !== undefined && <Track place={score} length={track} />}
      <NumberList name="sea" numbers={sea} />
      <NumberList name="owned" numbers={owned} />
      {lives !== undefined && !counted && <Lives count={lives} />}
      {marks &&
        Object.entries(marks)
          .sort(highestFirst)
          .map(([number, count]) => (
            <span class="tally" key={number}>
              <small>{target(number)}</small>
              <Marks count={count} />
            </span>
          ))}
    </>
  );
}

/** Numbers from the highest on, then the bull and what else there is: objects have their numbers in rising order. */
function highestFirst([one]: [string, number], [other]: [string, number]): number {
  return (Number(other) || 0) - (Number(one) || 0);
}

/** How far a player is on the course, below their row: rows are compared with each other. */
function Track({ place, length }: { place: number; length: number }) {
  return (
    <span
      class="course"
      role="img"
      aria-label={t("track", { n: place, length })}
      style={{ "--places": length, "--place": Math.max(0, Math.min(place, length)) }}
    />
  );
}

function Lives({ count }: { count: number }) {
  return (
    <span class="lives" role="img" aria-label={`${label("lives")}: ${count}`}>
      <span class="long">{count > HEARTS ? `♥ ${count}` : "♥".repeat(count)}</span>
      <span class="short">♥{count}</span>
    </span>
  );
}

/** One stroke, a cross, a cross in a circle. */
export function Marks({ count }: { count: number }) {
  return (
    <svg
      class={`marks marks-${count}`}
      viewBox="-12 -12 24 24"
      role="img"
      aria-label={t("cricket.marks", { n: count })}
    >
      {count >= 1 && <path d="M-6 6L6-6" />}
      {count >= 2 && <path d="M-6-6L6 6" />}
      {count >= 3 && <circle r="10" />}
    </svg>
  );
}

/** The numbers that nobody can score on any more. */
export function Closed({ match }: { match: Spoken }) {
  if (!match.closed) return null;
  return (
    <p class="closed">
      <small>{label("closed")}</small> {match.closed.length ? match.closed.map(target).join(" ") : "–"}
    </p>
  );
}

/** The targets that were called for the darts of this turn, the next one highlighted. */
export function Called({ match }: { match: Spoken }) {
  const { called, darts } = match.turn;
  if (!called) return null;
  return (
    <ol class="called" aria-label={label("called")}>
      {[0, 1, 2].map((nth) => (
        <li key={nth} class={nth === darts.length ? "call awaited" : nth < darts.length ? "call thrown" : "call"}>
          {called[nth] === undefined ? "–" : target(called[nth])}
        </li>
      ))}
    </ol>
  );
}
