// `/tournament`: who plays now and next, the bracket and the tables, on a wall, on a phone and on paper.
import { useEffect, useState } from "preact/hooks";
import { isReferee } from "../access";
import { useBus } from "../board-client";
import type { Bus } from "../bus";
import { LostBanner } from "../pages/banner";
import { LanguageChoice } from "../pages/language";
import { troubleOf } from "../pages/trouble";
import { useWakeLock } from "../pages/wake-lock";
import { getStored, setStored } from "../storage";
import { language } from "../text";
import { Brand } from "../venue";
import { Bracket } from "./bracket";
import { Side } from "./name";
import { Places } from "./places";
import { RefereeView, ReopenedMatches } from "./referee";
import { Sheets } from "./sheets";
import { Entrants, Invitation, Leave, SignUp } from "./sign-up";
import { SpokenCalls } from "./spoken-calls";
import { type Fixture, groupsAreOver, matchesOf, MY_NAME, nameOf, type Tournament } from "./state";
import { Tables } from "./tables";
import { titleOf } from "./titles";
import { bracketsOf } from "./rounds";
import { w } from "./words";

const ASKED = new URLSearchParams(location.search);
const SHEETS = ASKED.has("sheets");
const REFEREE = ASKED.has("referee");
/** How many lines the lists of a wall have; a phone scrolls and has all. */
const LINES = 8;
/** So few matches that there is room for names of two lines. */
const FEW = 6;

export function TournamentPage({ bus, node }: { bus: Bus; node: string }) {
  useBus(bus);
  useWakeLock();
  const tournament = bus.read<Tournament>(`oche/${node}/tournament`);
  const trouble = troubleOf(bus, node);
  const lost = !bus.connected || trouble !== undefined;
  document.title = `${tournament?.name ?? "oche"} · oche`;
  return (
    <div class={SHEETS || REFEREE ? "page tournament sheets" : "page tournament"}>
      {lost && <LostBanner trouble={trouble} known={tournament !== undefined} />}
      <main class={lost ? "stale" : ""} aria-busy={lost}>
        <header class="cup-head">
          <Brand />
          <h1>{tournament?.name ?? w("none")}</h1>
          {tournament ? (
            <p>{about(tournament)}</p>
          ) : (
            <p>
              {w("none.more")} <code>oche tournament new {w("none.name")}</code>
            </p>
          )}
          <SpokenCalls bus={bus} node={node} tournament={tournament} />
          <LanguageChoice />
        </header>
        {tournament && <View tournament={tournament} />}
      </main>
    </div>
  );
}

function View({ tournament }: { tournament: Tournament }) {
  if (SHEETS) return <Sheets tournament={tournament} />;
  if (REFEREE) return <RefereeView tournament={tournament} />;
  return (
    <>
      <ReopenedMatches tournament={tournament} />
      <Cup tournament={tournament} />
    </>
  );
}

function about(tournament: Tournament): string {
  const { state, entrants, ends } = tournament;
  if (state === "open") return `${w("open")} · ${w("entrants", { n: entrants.length })}`;
  const matches = matchesOf(tournament);
  const played = matches.filter(({ state }) => state === "done" || state === "walkover").length;
  const time = ends && new Date(ends).toLocaleTimeString(language, { hour: "numeric", minute: "2-digit" });
  const said = w("played", { n: played, of: matches.length });
  return time ? `${said} · ${w("ends", { time })}` : said;
}

function Cup({ tournament }: { tournament: Tournament }) {
  const [me, setMe] = useState(getStored(MY_NAME) ?? "");
  useEffect(() => setStored(MY_NAME, me), [me]);
  const matches = matchesOf(tournament);
  const now = matches.filter(({ board }) => board !== undefined);
  const next = matches.filter(({ board, state }) => board === undefined && state === "ready");
  const hasBracket = groupsAreOver(tournament) || Object.keys(tournament.tables).length === 0;
  const brackets = hasBracket ? bracketsOf(tournament) : [];
  if (tournament.state === "open") {
    return (
      <div class="cup-open">
        <SignUp tournament={tournament} me={me} onMe={setMe} />
        <Entrants tournament={tournament} />
        <Invitation />
      </div>
    );
  }
  return (
    <div class="cup">
      <div class={`cup-lists ${now.length + next.length <= FEW ? "few" : ""}`}>
        <Places tournament={tournament} withTable={brackets.length === 0} />
        <Me tournament={tournament} me={me} onMe={setMe} />
        {now.length > 0 && <List title={w("now")} tournament={tournament} fixtures={now} />}
        {next.length > 0 && <List title={w("next")} tournament={tournament} fixtures={next} />}
      </div>
      {brackets.length > 0 ? (
        <div class="cup-brackets">
          {brackets.map((rounds) => (
            <Bracket key={rounds[0]?.fixtures[0]?.stage} tournament={tournament} rounds={rounds} />
          ))}
        </div>
      ) : (
        <Tables tournament={tournament} />
      )}
      <section class="cup-all">
        <p class="cup-actions">
          <button type="button" onClick={() => print()}>
            {w("print")}
          </button>
          <a href="/tournament?sheets">{w("sheets")}</a>
          {isReferee() && <a href="/tournament?referee">{w("referee.page")}</a>}
          <a href="/tournament.csv">CSV</a>
        </p>
        {brackets.length > 0 && Object.keys(tournament.tables).length > 0 && <Tables tournament={tournament} />}
        <h2>{w("all")}</h2>
        {stagesOf(matches).map(([stage, fixtures]) => (
          <section key={stage}>
            <h3>{titleOf(fixtures[0] as Fixture)}</h3>
            <ul>
              {fixtures.map((fixture) => (
                <Line key={fixture.id} tournament={tournament} fixture={fixture} />
              ))}
            </ul>
          </section>
        ))}
      </section>
    </div>
  );
}

/** What the owner of a phone wants to know. */
function Me({ tournament, me, onMe }: { tournament: Tournament; me: string; onMe: (me: string) => void }) {
  const own = tournament.entrants.find(({ name }) => name === me)?.number;
  return (
    <section class="cup-me">
      <label>
        {w("me")}
        <select value={me} onChange={(event) => onMe(event.currentTarget.value)}>
          <option value="">{w("me.none")}</option>
          {tournament.entrants.map(({ number, name }) => (
            <option key={number}>{name}</option>
          ))}
        </select>
      </label>
      {own !== undefined && <p role="status">{mine(tournament, own)}</p>}
      <Leave key={me} tournament={tournament} me={me} />
    </section>
  );
}

function mine(tournament: Tournament, own: number): string {
  if (tournament.entrants.some(({ number, withdrawn }) => number === own && withdrawn)) return w("me.left");
  const open = tournament.fixtures.filter(
    ({ home, away, state }) => (home === own || away === own) && (state === "ready" || state === "waits"),
  );
  const fixture = open.find(({ board }) => board !== undefined) ?? open.find(({ state }) => state === "ready");
  if (fixture === undefined) return w(open.length > 0 ? "me.waits" : "me.over");
  const name = nameOf(tournament, fixture.home === own ? fixture.away : fixture.home) ?? "";
  if (fixture.board === undefined) return w("me.next", { name });
  return w(fixture.late ? "me.late" : "me.play", { name, board: fixture.board });
}

function List({ title, tournament, fixtures }: { title: string; tournament: Tournament; fixtures: Fixture[] }) {
  const more = fixtures.length - LINES;
  return (
    <section class="cup-list">
      <h2>{title}</h2>
      <ul>
        {fixtures.slice(0, LINES).map((fixture) => (
          <Line key={fixture.id} tournament={tournament} fixture={fixture} />
        ))}
      </ul>
      {more > 0 && <p>{w("more", { n: more })}</p>}
    </section>
  );
}

function Line({ tournament, fixture }: { tournament: Tournament; fixture: Fixture }) {
  const { score, board, late } = fixture;
  const where = board !== undefined && late ? w("late", { board }) : (board ?? "–");
  return (
    <li class={`cup-line ${fixture.state} ${late ? "late" : ""}`}>
      <Side tournament={tournament} fixture={fixture} side="home" />
      <span class="cup-score">{score ? `${score[0]} : ${score[1]}` : where}</span>
      <Side tournament={tournament} fixture={fixture} side="away" />
    </li>
  );
}

/** The matches by round; a day of the groups and a round after it may have the same title. */
function stagesOf(fixtures: Fixture[]): [string, Fixture[]][] {
  const found = new Map<string, Fixture[]>();
  for (const fixture of fixtures) {
    const stage = `${fixture.stage} ${titleOf(fixture)}`;
    found.set(stage, [...(found.get(stage) ?? []), fixture]);
  }
  return [...found];
}
