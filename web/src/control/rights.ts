// What this browser's user may do now: the daemon decides it again, and refuses what is not theirs.
import { isReferee } from "../access";
import type { Match } from "../match";
import { t } from "../text";
import { userOf } from "./user-name";

export interface Rights {
  /** The player for whom this phone acts; undefined for a referee, and for one who does not play in this match. */
  me: string | undefined;
  /** Whether the user may undo, start and end a match. */
  referee: boolean;
  /** Whether the match waits for this user. */
  acts: boolean;
  /** Whether the user may correct the darts of this turn. */
  corrects: boolean;
  /** Why something is off, as a sentence; undefined if nothing is. */
  why: string | undefined;
}

const ALL: Rights = { me: undefined, referee: true, acts: true, corrects: true, why: undefined };

/** The rights of a user with the role player, by name; undefined user: a display. */
export function rightsOfPlayer(user: string | undefined, match: Match | undefined): Rights {
  if (user === undefined) {
    return { me: undefined, referee: false, acts: false, corrects: false, why: t("rights.display") };
  }
  const people = match?.players.filter(({ house }) => !house).map(({ name }) => name) ?? [];
  const mine = people.filter((name) => userOf(name) === user);
  const [me] = mine.length === 1 ? mine : [];
  if (!match) return { me, referee: false, acts: false, corrects: false, why: t("rights.start") };
  const unknown = me === undefined && people.some((name) => userOf(name) === undefined);
  // The daemon knows whose name it is.
  if (unknown) return { ...ALL, referee: false, why: t("rights.referee") };
  if (me === undefined) return { me, referee: false, acts: false, corrects: false, why: t("rights.watching") };
  const { actor, player } = match.turn;
  const acts = actor === me && !match.finished;
  const corrects = player === me && !match.finished;
  const why = acts || match.finished ? t("rights.referee") : t("rights.turn", { name: actor });
  return { me, referee: false, acts, corrects, why };
}

/** The rights of this browser's user. `player` is the user's name if their role is player. */
export function rightsOf(player: string | undefined, match: Match | undefined): Rights {
  return isReferee() ? ALL : rightsOfPlayer(player, match);
}
