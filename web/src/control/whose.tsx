// Whose phone this is in the match, whose turn it is, and why buttons are off.
import type { Match } from "../match";
import { t } from "../text";
import type { Rights } from "./rights";

/** The sentence that explains buttons that are off. */
const WHY_OFF = "why-off";
/** The one about the referee's buttons, where the sentence above is about the others. */
const WHY_RESERVED = "why-reserved";

/** The id of the sentence that explains why the referee's buttons are off; undefined if they are not. */
export function whyReserved({ why }: Rights): string | undefined {
  if (why === undefined) return undefined;
  return why === t("rights.referee") ? WHY_OFF : WHY_RESERVED;
}

export function Whose({ match, rights }: { match: Match; rights: Rights }) {
  const { me, acts, why } = rights;
  if (why === undefined) return null;
  const own = match.players.find(({ name }) => name === me);
  return (
    <div class={acts ? "whose mine" : "whose"}>
      {own && (
        <p>
          <b>{t(acts ? "rights.yours" : "rights.you", { name: own.name, score: own.score })}</b>
        </p>
      )}
      <p id={WHY_OFF}>{why}</p>
      {whyReserved(rights) === WHY_RESERVED && (
        <p class="spoken" id={WHY_RESERVED}>
          {t("rights.referee")}
        </p>
      )}
    </div>
  );
}
