// Whose phone this is in the match, whose turn it is, and why buttons are off.
import type { Match } from "../match";
import { t } from "../text";
import type { Rights } from "./rights";

/** The sentence that explains buttons that are off; they refer to it. */
export const WHY_OFF = "why-off";

export function Whose({ match, rights }: { match: Match; rights: Rights }) {
  const { me, acts, why } = rights;
  if (why === undefined) return null;
  const own = match.players.find(({ name }) => name === me);
  return (
    <div class={acts ? "whose mine" : "whose"}>
      {own && (
        <p role="status">
          <b>{t(acts ? "rights.yours" : "rights.you", { name: own.name, score: own.score })}</b>
        </p>
      )}
      <p id={WHY_OFF}>{why}</p>
    </div>
  );
}
