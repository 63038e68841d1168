// A button that fills in the averages of a handicap from the matches that the players have played.
import { useState } from "preact/hooks";
import { type PlayerFigures, request } from "../history/request";
import { t } from "../text";

/** The option of X01 that it fills in. */
export const AVERAGES = "averages";

interface Props {
  players: string[];
  onFill: (averages: Record<string, number>) => void;
}

/** The averages of these players at X01; those of whom none is known are left out. */
export function averagesOf(figures: Pick<PlayerFigures, "name" | "x01">[], players: string[]): Record<string, number> {
  const known = figures.flatMap(({ name, x01 }) => (x01 && players.includes(name) ? [[name, x01.average]] : []));
  return Object.fromEntries(known) as Record<string, number>;
}

export function KnownAverages({ players, onFill }: Props) {
  const [said, setSaid] = useState("");
  async function fill() {
    const { value, problem } = await request<PlayerFigures[]>("/players.json");
    const averages = averagesOf(value ?? [], players);
    const unknown = players.filter((name) => averages[name] === undefined);
    setSaid(problem ?? (unknown.length > 0 ? t("start.averages.unknown", { names: unknown.join(", ") }) : ""));
    if (unknown.length < players.length) onFill(averages);
  }
  return (
    <>
      <button type="button" class="quiet" onClick={() => void fill()}>
        {t("start.averages.fill")}
      </button>
      <small role="status">{said}</small>
    </>
  );
}
