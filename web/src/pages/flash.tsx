// A word across the board, for special events.
import { useEffect, useRef, useState } from "preact/hooks";
import { isAlone } from "../games/alone";
import { withoutRepeats, type Announcement, announcementOf, type Title } from "../sound/announcements";
import type { BoardClient } from "../board-client";

const SHOWN_MS = 1800;

export function Flash({ client, title }: { client: BoardClient; title: Title }) {
  const [shown, setShown] = useState<Announcement>();
  const titleRef = useRef(title);
  titleRef.current = title;
  useEffect(() => {
    const announced = withoutRepeats(() => isAlone(client.match));
    return client.onEvent((event) => {
      const news = announced(event);
      const word = news && announcementOf(news, titleRef.current);
      if (!word) return;
      // A celebration of the same step stays: the page shows permanently who won or is out.
      setShown((before) => (before?.first && before.first.revision === news.revision ? before : word));
    });
  }, [client]);
  useEffect(() => {
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  if (!shown) return null;
  const longest = Math.max(...shown.text.split(" ").map(({ length }) => length));
  const style = { "--letters": shown.text.length, "--longest": longest };
  return (
    <div class={`flash ${shown.kind}`} style={style} key={shown.id} aria-hidden="true">
      {shown.shot === undefined ? (
        shown.text
      ) : (
        <span>
          <span class="words">{shown.text}</span> <small>{shown.shot}</small>
        </span>
      )}
    </div>
  );
}
