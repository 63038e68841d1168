// On a referee's phone: a link for someone who only watches. It has the code of a display, which sees no hand and
// changes nothing (docs/access.md).
import { useEffect, useState } from "preact/hooks";
import type { BoardClient } from "../board-client";
import { request } from "../history/request";
import { t } from "../text";
import { QrCode } from "./qr";

/** How often the code is asked for: each works once. */
const EVERY_MS = 3000;

export function Watch({ client }: { client: BoardClient }) {
  const [open, setOpen] = useState(false);
  if (!client.pairing) return null;
  return (
    <section class="invite" aria-label={t("watch")}>
      <button type="button" class="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t("watch")}
      </button>
      {open && <Link board={client.board} />}
    </section>
  );
}

function Link({ board }: { board: string }) {
  const [code, setCode] = useState<string>();
  const [page, setPage] = useState<string>();
  useEffect(() => {
    const ask = async () => {
      const { value } = await request<{ display: string; url: string }>("/pairing.json");
      setCode(value?.display);
      setPage(value?.url);
    };
    void ask();
    const timer = setInterval(() => void ask(), EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  if (code === undefined || page === undefined) return null;
  const link = new URL(page);
  link.searchParams.set("code", code);
  link.searchParams.set("board", board);
  return (
    <>
      <QrCode text={link.href} />
      <p class="code">{t("pair.shown", { code })}</p>
      <p>{t("watch.how")}</p>
      <p>
        <a href={link.href}>{link.href}</a>
      </p>
    </>
  );
}
