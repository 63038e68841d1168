// The two layouts of the scoreboard: with the board, or scores alone where a real board hangs beside the screen.
import { useState } from "preact/hooks";
import { getStored, setStored } from "../storage";
import { t } from "../text";

type Layout = "board" | "scores";

const STORED = "oche.layout";

function wanted(): Layout {
  const asked = new URLSearchParams(location.search).get("layout") ?? getStored(STORED);
  return asked === "scores" ? "scores" : "board";
}

/** The layout of this screen, and the function that changes it; the screen remembers. `?layout=scores` sets it too. */
export function useLayout(): [Layout, () => void] {
  const [layout, setLayout] = useState(wanted);
  return [
    layout,
    () => {
      const other = layout === "board" ? "scores" : "board";
      setStored(STORED, other);
      setLayout(other);
    },
  ];
}

export function LayoutButton({ layout, onChange }: { layout: Layout; onChange: () => void }) {
  return (
    <button type="button" class="layout-button" onClick={onChange}>
      {t(layout === "board" ? "layout.scores" : "layout.board")}
    </button>
  );
}
