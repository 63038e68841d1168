// Forgetting a player: asks twice, because it cannot be undone.
import { useState } from "preact/hooks";
import { t } from "../../text";
import { type HistoryReply, request } from "../request";

export function Forget({ name, address }: { name: string; address: string }) {
  const [sure, setSure] = useState(false);
  const [problem, setProblem] = useState<string>();
  const forget = async () => {
    const { value, problem } = await request<HistoryReply>(address, { method: "DELETE" });
    if (value) location.assign("/players");
    else setProblem(problem);
  };
  return (
    <section class="forget">
      <p>{t("past.forget.help")}</p>
      {sure ? (
        <div>
          <button class="danger" onClick={() => void forget()}>
            {t("past.forget.sure", { name })}
          </button>
          <button onClick={() => setSure(false)}>{t("control.cancel")}</button>
        </div>
      ) : (
        <button onClick={() => setSure(true)}>{t("past.forget", { name })}</button>
      )}
      <p role="alert" class="problem">
        {problem}
      </p>
    </section>
  );
}
