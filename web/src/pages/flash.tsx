// A word across the board, for special events.
import { useEffect, useRef, useState } from "preact/hooks";
import { decider, type Shout, shouted, type Title } from "../sound/news";
import type { Table } from "../table";

const SHOWN_MS = 1800;

export function Flash({ table, title }: { table: Table; title: Title }) {
  const [shout, setShout] = useState<Shout>();
  const named = useRef(title);
  named.current = title;
  useEffect(() => {
    const decided = decider();
    return table.onEvent((event) => {
      const news = decided(event);
      const word = news && shouted(news, named.current);
      if (!word) return;
      // A celebration of the same step stays: the page shows permanently who won or is out.
      setShout((before) => (before?.first && before.first.revision === news.revision ? before : word));
    });
  }, [table]);
  useEffect(() => {
    const timer = setTimeout(() => setShout(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shout]);
  if (!shout) return null;
  const longest = Math.max(...shout.text.split(" ").map(({ length }) => length));
  const style = { "--letters": shout.text.length, "--longest": longest };
  return (
    <div class={`flash ${shout.kind}`} style={style} key={shout.id} aria-hidden="true">
      {shout.text}
    </div>
  );
}
