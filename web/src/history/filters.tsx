// The filters of the list of matches. They are in the address, so that a list can be bookmarked and sent to others.
import { gameTitle } from "../game-title";
import { maybe, t } from "../text";
import type { Choice, Choices } from "./request";
import { midnight } from "./words";

export type Filters = Partial<Record<"player" | "board" | "game" | "format" | "when" | "from" | "to", string>>;

const KEYS = ["player", "board", "game", "format", "when", "from", "to"] as const;
const DAYS: Record<string, number> = { today: 0, week: 6, month: 29, year: 364 };
const OWN = "own";

/** What the address of the page asks for. */
export function filtersIn(search: string): Filters {
  const query = new URLSearchParams(search);
  return Object.fromEntries(KEYS.flatMap((key) => (query.get(key) ? [[key, query.get(key)]] : [])));
}

/** The query of the page, from which `filtersIn` reads the same. */
export function pageQuery(filters: Filters): string {
  return query(Object.entries(filters));
}

/** The query of the daemon's answers: days are those of this place, and the daemon knows UTC alone. */
export function apiQuery({ when, from, to, ...names }: Filters, more: Record<string, string> = {}): string {
  const days = when === undefined ? undefined : DAYS[when];
  const first = days === undefined ? localDay(from, 0) : addDays(midnight(new Date()), -days);
  const last = days === undefined ? localDay(to, 1) : undefined;
  const times = { from: first?.toISOString(), to: last && new Date(last.getTime() - 1000).toISOString() };
  return query(Object.entries({ ...names, ...times, ...more }));
}

function localDay(day: string | undefined, later: number): Date | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? "") ?? [];
  return year === undefined ? undefined : new Date(Number(year), Number(month) - 1, Number(date) + later);
}

function addDays(day: Date, days: number): Date {
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days);
}

function query(entries: [string, string | undefined][]): string {
  const text = new URLSearchParams(entries.filter((entry): entry is [string, string] => Boolean(entry[1]))).toString();
  return text && `?${text}`;
}

interface Props {
  filters: Filters;
  choices: Choices | undefined;
  onChange: (filters: Filters) => void;
}

export function FilterBar({ filters, choices, onChange }: Props) {
  const own = filters.when === OWN;
  const set = (key: keyof Filters, value: string) => {
    const others: Filters = { ...filters };
    delete others[key];
    if (key === "when") {
      delete others.from;
      delete others.to;
    }
    onChange(value ? { ...others, [key]: value } : others);
  };
  const lists = [
    ["game", choices?.games, gameTitle],
    ["player", choices?.players, (name: string) => name],
    ["format", choices?.formats, (name: string) => maybe(`past.format.${name}`) ?? name],
    ["board", choices?.boards, (name: string) => name],
  ] as const;
  return (
    <form class="filters" aria-label={t("past.filter")} onSubmit={(event) => event.preventDefault()}>
      {lists.map(([key, some, title]) => (
        <Select key={key} name={key} value={filters[key]} choices={some} title={title} onChange={set} />
      ))}
      <label>
        <span>{t("past.filter.when")}</span>
        <select value={filters.when ?? ""} onChange={({ currentTarget }) => set("when", currentTarget.value)}>
          <option value="">{t("past.any.when")}</option>
          {(["today", "week", "month", "year", OWN] as const).map((name) => (
            <option key={name} value={name}>
              {t(`past.when.${name}`)}
            </option>
          ))}
        </select>
      </label>
      {own &&
        (["from", "to"] as const).map((key) => (
          <label key={key}>
            <span>{t(`past.${key}`)}</span>
            <input
              type="date"
              value={filters[key] ?? ""}
              onChange={({ currentTarget }) => set(key, currentTarget.value)}
            />
          </label>
        ))}
      {Object.keys(filters).length > 0 && (
        <button type="button" class="quiet" onClick={() => onChange({})}>
          {t("past.filter.clear")}
        </button>
      )}
    </form>
  );
}

interface SelectProps {
  name: "player" | "board" | "game" | "format";
  value: string | undefined;
  choices: Choice[] | undefined;
  title: (name: string) => string;
  onChange: (key: keyof Filters, value: string) => void;
}

/** A list of one has nothing to choose, unless it is chosen already. */
function Select({ name, value, choices = [], title, onChange }: SelectProps) {
  const known = value && !choices.some((choice) => choice.name === value) ? [{ name: value, matches: 0 }] : [];
  const all = [...known, ...choices];
  if (all.length < 2 && !value) return null;
  return (
    <label>
      <span>{t(`past.filter.${name}`)}</span>
      <select value={value ?? ""} onChange={({ currentTarget }) => onChange(name, currentTarget.value)}>
        <option value="">{t(`past.any.${name}`)}</option>
        {all.map((choice) => (
          <option key={choice.name} value={choice.name}>
            {title(choice.name)} ({choice.matches})
          </option>
        ))}
      </select>
    </label>
  );
}
