// Squares with owners: `squares` (three in a row), `grid` with `columns`, and a `card` that each player marks.
import type { ComponentChildren } from "preact";
import { sidesOf } from "../players";
import { label, type Spoken, type Target, target } from "./view";

/** Whether there is one. */
export function hasSquares({ squares, grid, card }: Spoken): boolean {
  return Boolean(squares?.length || grid || card?.length);
}

/** A board of squares between the facts and the players, if the view has one. */
export function Squares({ match }: { match: Spoken }) {
  const { squares, grid, columns = [], card } = match;
  if (squares?.length) {
    return (
      <Board name="squares" wide={3}>
        {squares.map(({ target: number, marks, owner }) => (
          <Square key={number} side={side(match, owner)} title={owner}>
            {target(number)}
            <small>
              {Object.entries(marks).map(([name, count]) => (
                <i key={name} class={`army-${side(match, name)}`} title={name}>
                  {"●".repeat(count)}
                </i>
              ))}
            </small>
          </Square>
        ))}
      </Board>
    );
  }
  if (grid) return <Grid match={match} grid={grid} columns={columns} />;
  if (card?.length) {
    const marked = new Set(match.players.find(({ name }) => name === match.turn.player)?.marked);
    return (
      <Board name="card" wide={4}>
        {card.map((number) => (
          <li key={number} class={marked.has(number) ? "square marked" : "square"}>
            {target(number)}
          </li>
        ))}
      </Board>
    );
  }
  return null;
}

/** Discs in columns, which fill from below; the numbers of the columns are under them. */
function Grid({ match, grid, columns }: { match: Spoken; grid: string[][]; columns: Target[] }) {
  const rows = [5, 4, 3, 2, 1, 0];
  return (
    <Board name="grid" wide={columns.length}>
      {rows.flatMap((row) =>
        grid.map((discs, column) => (
          <Square key={`${column} ${row}`} side={side(match, discs[row])} title={discs[row]} />
        )),
      )}
      {columns.map((number) => (
        <li key={number} class="column">
          {target(number)}
        </li>
      ))}
    </Board>
  );
}

function Board({ name, wide, children }: { name: string; wide: number; children: ComponentChildren }) {
  return (
    <ol class={`squares squares-${name}`} style={{ "--wide": wide }} aria-label={label(name)}>
      {children}
    </ol>
  );
}

interface SquareProps {
  side: number | undefined;
  title: string | undefined;
  children?: ComponentChildren;
}

function Square({ side, title, children }: SquareProps) {
  return (
    <li class={side === undefined ? "square" : `square taken army-${side}`} title={title}>
      {children}
    </li>
  );
}

/** The colour of a player's side, where squares have it. */
export function SideSign({ match, name }: { match: Spoken; name: string }) {
  const at = match.squares?.length || match.grid ? side(match, name) : undefined;
  return at === undefined ? null : <i class={`side-sign army-${at}`} />;
}

/** The place of a player's side in the list, which is its colour. */
export function side(match: Spoken, name: string | undefined): number | undefined {
  const found = sidesOf(match.players).findIndex((players) => players.some((player) => player.name === name));
  return found < 0 ? undefined : found;
}
