// What stands over a page when its state cannot be trusted, or its board needs a hand.
import type { Table } from "../table";
import { t } from "../text";

export function Banner({ table }: { table: Table }) {
  if (!table.live) {
    const known = table.match !== undefined;
    return (
      <div class="banner lost" role="alert">
        <span class="pulse" aria-hidden="true" />
        <strong>{known ? t("reconnecting") : t("connecting")}</strong>
        {known && <span>{t("reconnecting.more")}</span>}
      </div>
    );
  }
  const status = table.status;
  const stuck = status?.stuck?.length ? t("board.stuck", { beds: status.stuck.join(", ") }) : "";
  if (!status || (!stuck && status.state === "online")) return null;
  const sentence = status.state === "online" ? "" : t(`board.${status.state}`);
  return (
    <div class="banner fault" role="status">
      <strong>{[sentence, stuck].filter(Boolean).join(" ")}</strong>
      {status.reason && <span>{status.reason}</span>}
    </div>
  );
}
