// The picture, the sounds and the colour of a player, on their page: a referee adds and removes them.
import { useState } from "preact/hooks";
import { isReferee } from "../access";
import { SLOTS, type Slot, usePeople } from "../sound/people";
import { t } from "../text";
import { ColourChoice } from "./player-colour";
import { type HistoryReply, request } from "./request";

export function PlayerFiles({ name }: { name: string }) {
  const [version, setVersion] = useState(0);
  const [problem, setProblem] = useState<string>();
  const files = usePeople([name], version)[name] ?? {};
  const change = async (slot: Slot | "colour", body?: File | string) => {
    const options = body === undefined ? { method: "DELETE" } : { method: "PUT", body };
    const { problem } = await request<HistoryReply>(`/players/${encodeURIComponent(name)}/${slot}`, options);
    setProblem(problem);
    setVersion((n) => n + 1);
  };
  if (!isReferee() && Object.keys(files).length === 0) return null;
  return (
    <section class="player-files">
      <h2>{t("past.files")}</h2>
      <dl>
        {SLOTS.map((slot) => (
          <div key={slot}>
            <dt>{t(`past.files.${slot}`)}</dt>
            <dd>
              <Shown slot={slot} address={files[slot]} />
              {isReferee() && (
                <>
                  <label>
                    {t("past.files.choose")}
                    <input
                      type="file"
                      class="spoken"
                      aria-label={`${t("past.files.choose")}: ${t(`past.files.${slot}`)}`}
                      accept={slot === "picture" ? "image/png,image/jpeg,image/gif,image/webp" : "audio/*"}
                      onChange={(event) => {
                        const file = event.currentTarget.files?.[0];
                        // The same file again, after a refusal, is a change as well.
                        event.currentTarget.value = "";
                        if (file) void change(slot, file);
                      }}
                    />
                  </label>
                  {files[slot] && (
                    <button
                      aria-label={`${t("past.files.remove")}: ${t(`past.files.${slot}`)}`}
                      onClick={() => void change(slot)}
                    >
                      {t("past.files.remove")}
                    </button>
                  )}
                </>
              )}
            </dd>
          </div>
        ))}
        {isReferee() && <ColourChoice chosen={files.colour} onChoose={(colour) => void change("colour", colour)} />}
      </dl>
      <p role="alert" class="problem">
        {problem}
      </p>
    </section>
  );
}

function Shown({ slot, address }: { slot: Slot; address: string | undefined }) {
  if (address === undefined) return null;
  return slot === "picture" ? <img src={address} alt={t("past.files.picture")} /> : <audio src={address} controls />;
}
