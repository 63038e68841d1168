// `/history`: what was played, the newest first; a match file can be brought in.
import { useState } from "preact/hooks";
import { gameTitle } from "../game-title";
import { language, t } from "../text";
import { request, type HistoryReply, type MatchInfo, useRequest } from "./request";
import { Frame } from "./frame";

const PAGE = 50;

export function MatchesPage() {
  const [before, setBefore] = useState<string>();
  const [earlier, setEarlier] = useState<MatchInfo[]>([]);
  const { value, problem } = useRequest<MatchInfo[]>(`/history.json${before ? `?before=${before}` : ""}`);
  const more = () => {
    setEarlier([...earlier, ...(value ?? [])]);
    setBefore(value?.at(-1)?.id);
  };
  const known = new Set(earlier.map(({ id }) => id));
  const matches = [...earlier, ...(value ?? []).filter(({ id }) => !known.has(id))];
  return (
    <Frame title={t("past.history")} at="history" problem={problem}>
      {value && matches.length === 0 && <p>{t("past.none")}</p>}
      <MatchList matches={matches} />
      {value?.length === PAGE && <button onClick={more}>{t("past.more")}</button>}
      <BringIn />
    </Frame>
  );
}

export function MatchList({ matches }: { matches: MatchInfo[] }) {
  return (
    <ol class="matches">
      {matches.map((match) => (
        <li key={match.id}>
          <a href={`/history/${match.id}`}>
            <b>{gameTitle(match.game)}</b> <Who match={match} />
            <small>
              <time dateTime={match.started}>{when(match.started)}</time>
              {" · "}
              {t(`past.${match.result ?? "going"}`)}
              {match.damaged && ` · ${t("past.damaged")}`}
              {match.checked === false && ` · ${t("past.unchecked")}`}
            </small>
          </a>
        </li>
      ))}
    </ol>
  );
}

function Who({ match: { players, winners = [] } }: { match: MatchInfo }) {
  return (
    <span>
      {players.map((name, i) => (
        <span key={name}>
          {i > 0 && ", "}
          {winners.includes(name) ? (
            <strong>
              {name} <span class="spoken">({t("winner")})</span>
              <span aria-hidden="true">★</span>
            </strong>
          ) : (
            name
          )}
        </span>
      ))}
    </span>
  );
}

export function when(time: string): string {
  return new Date(time).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
}

function BringIn() {
  const [said, setSaid] = useState<{ text: string; good: boolean }>();
  const take = async (file: File | undefined) => {
    if (!file) return;
    const { value, problem } = await request<HistoryReply>("/history", { method: "POST", body: await file.text() });
    if (value?.new) location.assign(`/history/${value.id}`);
    else if (value) setSaid({ text: t("past.import.known"), good: true });
    else setSaid({ text: t("past.import.refused", { why: problem ?? "" }), good: false });
  };
  return (
    <section class="bring-in">
      <label class="button">
        {t("past.import")}
        <input
          class="spoken"
          type="file"
          accept=".jsonl,application/jsonl,text/plain"
          onChange={(event) => {
            void take(event.currentTarget.files?.[0]);
            event.currentTarget.value = "";
          }}
        />
      </label>
      <p role="status" class={said && !said.good ? "problem" : ""}>
        {said?.text}
      </p>
    </section>
  );
}
