// What a control page leads to besides playing: others who join or watch, and what was played here.
import { isReferee } from "../access";
import type { BoardClient } from "../board-client";
import { Houses } from "../houses/panel";
import type { Command } from "../match";
import { t } from "../text";
import { Invite } from "./invite";
import { ScreenSound } from "./screens";
import { Watch } from "./watch";

interface Props {
  client: BoardClient;
  disabled: boolean;
  send: (command: Command) => Promise<boolean>;
}

export function More({ client, disabled, send }: Props) {
  return (
    <>
      <ScreenSound client={client} disabled={disabled} send={send} />
      <Houses client={client} disabled={disabled} />
      <Invite client={client} />
      <Watch client={client} />
      <nav class="invite" aria-label={t("past")}>
        <a class="button quiet" href={`/history?board=${client.board}`}>
          {t("past")}
        </a>
        {isReferee() && (
          <>
            <a class="button quiet" href={`/board/${client.board}/health`}>
              {t("health")}
            </a>
            <a class="button quiet" href={`/show?board=${client.board}`}>
              {t("show")}
            </a>
          </>
        )}
      </nav>
    </>
  );
}
