// `/tournament?sheets`: a score sheet on paper for each match that can be played now, one on each page.
import type { Fixture, Tournament } from "./state";
import { nameOf } from "./state";
import { titleOf } from "./titles";
import { w } from "./words";

/** Legs next to each other on a sheet; a longer match has the others as results alone. */
const GRIDS = 3;
/** Turns of a leg that a sheet has room for. */
const TURNS = 18;

export function Sheets({ tournament }: { tournament: Tournament }) {
  const fixtures = tournament.fixtures.filter(({ state }) => state === "ready");
  return (
    <div class="cup-sheets">
      <p class="cup-actions">
        <button class="primary" type="button" onClick={() => print()}>
          {w("print")}
        </button>
        <a href="/tournament">{w("sheets.back")}</a>
      </p>
      {fixtures.length === 0 && <p>{w("sheets.none")}</p>}
      {fixtures.map((fixture) => (
        <Sheet key={fixture.id} tournament={tournament} fixture={fixture} />
      ))}
    </div>
  );
}

function Sheet({ tournament, fixture }: { tournament: Tournament; fixture: Fixture }) {
  const names = [fixture.home, fixture.away].map((number) => nameOf(tournament, number) ?? "");
  const about = [tournament.name, titleOf(fixture), fixture.group && w("group", { name: fixture.group }), fixture.id];
  const legs = Array.from({ length: fixture.best_of }, (_, index) => index + 1);
  return (
    <article class="cup-sheet">
      <h2>{names.join(" – ")}</h2>
      <p>{about.filter(Boolean).join(" · ")}</p>
      <p>{w("sheets.best_of", { n: fixture.best_of, board: fixture.board ?? "____" })}</p>
      <div class="cup-grids">
        {legs.slice(0, GRIDS).map((leg) => (
          <Leg key={leg} leg={leg} names={names} left={fixture.game === "x01"} />
        ))}
      </div>
      <table class="cup-result">
        <caption>{w("sheets.legs")}</caption>
        <tbody>
          {names.map((name) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {legs.map((leg) => (
                <td key={leg}>{leg}</td>
              ))}
              <td class="sum">{w("sheets.sum")}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="cup-signs">
        <span>{names[0]}</span>
        <span>{names[1]}</span>
        <span>{w("sheets.referee")}</span>
      </p>
    </article>
  );
}

/** A leg turn by turn: what was scored, and what is left of it in X01, or the sum. */
function Leg({ leg, names, left }: { leg: number; names: string[]; left: boolean }) {
  const second = w(left ? "sheets.left" : "sheets.sum");
  return (
    <table>
      <caption>{w("sheets.leg", { n: leg })}</caption>
      <thead>
        <tr>
          {names.map((name) => (
            <th key={name} scope="colgroup" colSpan={2}>
              {name}
            </th>
          ))}
        </tr>
        <tr>
          {names.map((name) => [
            <th key={`${name} 1`} scope="col">
              {w("sheets.scored")}
            </th>,
            <th key={`${name} 2`} scope="col">
              {second}
            </th>,
          ])}
        </tr>
      </thead>
      <tbody>
        {Array.from({ length: TURNS }, (_, turn) => (
          <tr key={turn}>
            <td />
            <td />
            <td />
            <td />
          </tr>
        ))}
      </tbody>
    </table>
  );
}
