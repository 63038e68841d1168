// `/history`: what was played, the newest first, with filters; a match file can be brought in, a table taken out.
import { useEffect, useState } from "preact/hooks";
import { t } from "../text";
import { apiQuery, FilterBar, type Filters, filtersIn, pageQuery } from "./filters";
import { Frame } from "./frame";
import { type Choices, type HistoryReply, type MatchInfo, request, saveWithName, useRequest } from "./request";
import { MatchList } from "./rows";
import { many } from "./words";

const PAGE = 50;

export function MatchesPage() {
  const [filters, setFilters] = useState(() => filtersIn(location.search));
  useEffect(() => {
    const back = () => setFilters(filtersIn(location.search));
    addEventListener("popstate", back);
    return () => removeEventListener("popstate", back);
  }, []);
  const change = (chosen: Filters) => {
    history.pushState(null, "", `${location.pathname}${pageQuery(chosen)}`);
    setFilters(chosen);
  };
  const filtered = Object.keys(filters).length > 0;
  const [open, setOpen] = useState(filtered);
  const { value: choices } = useRequest<Choices>(`/history/choices.json${apiQuery(filters)}`);
  return (
    <Frame title={t("past.history")} at="history">
      <div class="find">
        <button type="button" class="filter-button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t("past.filter")}
          {filtered && ` (${Object.keys(filters).filter((key) => key !== "from" && key !== "to").length})`}
        </button>
        <div class={open ? "filter-box" : "filter-box shut"}>
          <FilterBar filters={filters} choices={choices} onChange={change} />
        </div>
        <p class="count" role="status">
          {choices && many("past.count", choices.matches)}
        </p>
        {choices && choices.matches > 0 && (
          <a class="button csv" href={`/history.csv${apiQuery(filters)}`} download onClick={saveWithName}>
            {t("past.csv")}
          </a>
        )}
      </div>
      <Pages key={pageQuery(filters)} filters={filters} filtered={filtered} />
      <BringIn />
    </Frame>
  );
}

/** The list as far as it is loaded; begins again with other filters. */
function Pages({ filters, filtered }: { filters: Filters; filtered: boolean }) {
  const [before, setBefore] = useState<string>();
  const [earlier, setEarlier] = useState<MatchInfo[]>([]);
  const query = apiQuery(filters, before === undefined ? {} : { before });
  const { value, problem } = useRequest<MatchInfo[]>(`/history.json${query}`);
  const known = new Set(earlier.map(({ id }) => id));
  const matches = [...earlier, ...(value ?? []).filter(({ id }) => !known.has(id))];
  // Until the next ones are loaded, `value` has those that are shown already.
  const more = () => {
    setEarlier(matches);
    setBefore(value?.at(-1)?.id);
  };
  return (
    <>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {value && matches.length === 0 && <p>{t(filtered ? "past.nothing" : "past.none")}</p>}
      <MatchList matches={matches} />
      {value?.length === PAGE && <button onClick={more}>{t("past.more")}</button>}
    </>
  );
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
