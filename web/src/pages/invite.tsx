// On a referee's phone: the player's code, for another phone's camera or to be read out.
import { useState } from "preact/hooks";
import type { BoardClient } from "../board-client";
import { inHalves, t } from "../text";
import { controlOf } from "./join";
import { QrCode } from "./qr";

export function Invite({ client }: { client: BoardClient }) {
  const [open, setOpen] = useState(false);
  const { pairing } = client;
  if (!pairing) return null;
  return (
    <section class="invite" aria-label={t("invite")}>
      <button type="button" class="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t("invite")}
      </button>
      {open && (
        <>
          <QrCode text={controlOf(client)} />
          <p class="code">{t("pair.shown", { code: inHalves(pairing.code) })}</p>
          <p>{t("invite.how")}</p>
        </>
      )}
    </section>
  );
}
