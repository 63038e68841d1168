// What a control page leads to besides playing: others who join or watch, and what was played here.
import { isReferee } from "../access";
import type { BoardClient } from "../board-client";
import { t } from "../text";
import { Invite } from "./invite";
import { Watch } from "./watch";

export function More({ client }: { client: BoardClient }) {
  return (
    <>
      <Invite client={client} />
      <Watch client={client} />
      <nav class="invite" aria-label={t("past")}>
        <a class="button quiet" href={`/history?board=${client.board}`}>
          {t("past")}
        </a>
        {isReferee() && (
          <a class="button quiet" href={`/show?board=${client.board}`}>
            {t("show")}
          </a>
        )}
      </nav>
    </>
  );
}
