// How many boards a wall shows at once: as many as can be read from a distance, the others on the next parts.
import { gridFor } from "../wall/grid";

/** The least width and height of a board, in hundredths of the screen's short side. */
const LEAST = { width: 20, height: 10 };

export interface Part {
  first: number;
  /** The place after its last board. */
  end: number;
  columns: number;
  rows: number;
}

/** The parts in which a number of boards is shown on a screen, all of nearly the same size. */
export function partsOf(boards: number, width: number, height: number, unit: number): Part[] {
  const fits = (room: number, least: number) => Math.max(1, Math.floor(room / (least * unit)));
  const most = fits(width, LEAST.width) * fits(height, LEAST.height);
  const count = Math.ceil(boards / most);
  return Array.from({ length: count }, (_, i) => {
    const [first, end] = [Math.floor((i * boards) / count), Math.floor(((i + 1) * boards) / count)];
    // The grid of the largest part for all of them: a board does not change its size with each part.
    return { first, end, ...within(Math.ceil(boards / count), width, height, unit) };
  });
}

/** The best grid in which no board is smaller than the least. */
function within(boards: number, width: number, height: number, unit: number): { columns: number; rows: number } {
  const best = gridFor(boards, width, height);
  if (height / best.rows >= LEAST.height * unit && width / best.columns >= LEAST.width * unit) return best;
  const columns = Math.max(1, Math.floor(width / (LEAST.width * unit)));
  return { columns, rows: Math.ceil(boards / columns) };
}
