// What rules of the configuration show on the pages of a board, and in its place on the wall: words and a picture or a film, for a while.
import { useEffect, useState } from "preact/hooks";
import type { BoardClient } from "../board-client";
import type { Shown } from "../match";
import { fileOf } from "./files";

const SHOWN_MS = 5000;
const FILMS = /\.(mp4|webm)$/i;

export function ShownByRules({ client }: { client: BoardClient }) {
  const [shown, setShown] = useState<Shown>();
  // The wall makes a new client whenever it is drawn.
  useEffect(() => client.onShow((news) => (news.words || news.picture) && setShown(news)), [client.bus, client.board]);
  useEffect(() => {
    const timer = setTimeout(() => setShown(undefined), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  if (!shown) return null;
  return (
    <div class="shown" key={shown.id} role="status">
      {shown.picture && <Picture name={shown.picture} />}
      {shown.words && <p>{shown.words}</p>}
    </div>
  );
}

function Picture({ name }: { name: string }) {
  const [missing, setMissing] = useState(false);
  const src = fileOf(name);
  if (missing) return null;
  const lost = () => setMissing(true);
  return FILMS.test(name) ? (
    <video src={src} autoplay muted playsInline onError={lost} />
  ) : (
    <img src={src} alt="" onError={lost} />
  );
}
