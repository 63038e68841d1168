// `/wall`: all boards of a node on one screen.
import { useEffect, useState } from "preact/hooks";
import { BoardClient, useBus } from "../board-client";
import type { Bus } from "../bus";
import type { Geometry } from "../geometry";
import { DamageBanner, LostBanner } from "../pages/banner";
import { boardsOf } from "../pages/home";
import { useWakeLock } from "../pages/wake-lock";
import { troubleOf } from "../pages/trouble";
import { t } from "../text";
import { Brand } from "../venue";
import { gridFor, isNarrow } from "./grid";
import { Tile } from "./tile";

/** The height of the head and the foot of a tile, and the least height of a player, in hundredths of the screen's short side. */
const FRAME = 12.6;
const ROW = 4.1;
/** The height of the page's head, likewise. */
const HEAD = 7;

interface Props {
  bus: Bus;
  node: string;
  geometry: Geometry;
}

export function WallPage({ bus, node, geometry }: Props) {
  useBus(bus);
  useWakeLock();
  const [width, height] = useScreen();
  const boards = boardsOf(bus, node).map((board) => new BoardClient(bus, node, board));
  const unit = Math.min(width, height) / 100;
  const { columns, rows } = gridFor(boards.length, width, height - HEAD * unit);
  const room = Math.floor(((height / unit - HEAD) / rows - FRAME) / ROW);
  const narrow = isNarrow(columns, width, height);
  const trouble = troubleOf(bus, node);
  const lost = !bus.connected || trouble !== undefined;
  const playing = boards.filter(({ match }) => match && !match.finished).length;
  return (
    <div class="page wall">
      {lost ? <LostBanner trouble={trouble} known={boards.length > 0} /> : <DamageBanner bus={bus} node={node} />}
      <main class={lost ? "stale" : ""} aria-busy={lost}>
        <header class="wall-head">
          <Brand />
          <h1>{t("boards")}</h1>
          <p>{t("wall.playing", { n: playing, of: boards.length })}</p>
        </header>
        {bus.settled && !trouble && boards.length === 0 && <p class="wall-none">{t("boards.none")}</p>}
        <ul class="wall-grid" style={{ "--columns": columns, "--rows": rows }}>
          {boards.map((client) => (
            <li key={client.board}>
              <Tile client={client} geometry={geometry} room={room} narrow={narrow} />
            </li>
          ))}
        </ul>
      </main>
    </div>
  );
}

function useScreen(): [number, number] {
  const [size, setSize] = useState<[number, number]>([innerWidth, innerHeight]);
  useEffect(() => {
    const measure = () => setSize([innerWidth, innerHeight]);
    addEventListener("resize", measure);
    return () => removeEventListener("resize", measure);
  }, []);
  return size;
}
