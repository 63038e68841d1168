// Ends the match after a confirmation.
import { useState } from "preact/hooks";
import { t } from "../text";

export function Stop({ disabled, why, onStop }: { disabled: boolean; why: string | undefined; onStop: () => void }) {
  const [sure, setSure] = useState(false);
  if (!sure) {
    return (
      <p class="stop">
        <button type="button" class="quiet" disabled={disabled} aria-describedby={why} onClick={() => setSure(true)}>
          {t("control.stop")}
        </button>
      </p>
    );
  }
  return (
    <p class="stop sure">
      <span>{t("control.stop.sure")}</span>
      <button type="button" onClick={() => setSure(false)}>
        {t("control.cancel")}
      </button>
      <button type="button" class="danger" disabled={disabled} onClick={onStop}>
        {t("control.stop")}
      </button>
    </p>
  );
}
