// On a referee's phone: sound and the caller of the board's screens, which often hang where nobody can touch them.
import { isReferee } from "../access";
import type { BoardClient } from "../board-client";
import type { Command } from "../match";
import { t } from "../text";

const SWITCHES = ["caller", "sound"] as const;

interface Props {
  client: BoardClient;
  disabled: boolean;
  send: (command: Command) => Promise<boolean>;
}

export function ScreenSound({ client, disabled, send }: Props) {
  if (!isReferee()) return null;
  const { screens } = client.status ?? {};
  return (
    <section aria-label={t("screens")}>
      <fieldset class="screen-sound" disabled={disabled}>
        <legend>{t("screens")}</legend>
        {SWITCHES.map((name) => (
          <button
            type="button"
            key={name}
            aria-pressed={screens?.[name] === true}
            onClick={() => void send({ screens: { [name]: screens?.[name] !== true } })}
          >
            {t(name)}
          </button>
        ))}
        <p>{t("screens.how")}</p>
      </fieldset>
    </section>
  );
}
