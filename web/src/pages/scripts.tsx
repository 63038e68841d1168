// Which script draws which page. Each is loaded on demand, so that no page has the code of another.
import type { VNode } from "preact";
import type { BoardClient } from "../board-client";
import type { Bus } from "../bus";
import type { Geometry } from "../geometry";
import type { PageName, PageParts } from "../page-paths";

interface Live {
  bus: Bus;
  node: string;
  geometry: Geometry;
  /** The board of the address; only for pages of one board. */
  client: BoardClient;
}

type Script<Draw> = () => Promise<Draw>;

const past: Script<(geometry: Geometry, parts: PageParts) => VNode> = async () =>
  (await import("../history")).historyPage;

/** Pages that need no broker. The commands that serve two of them have none. */
export const LOCAL_PAGES: Partial<Record<PageName, typeof past>> = {
  learn: async () => {
    const { LearnPage } = await import("./learn");
    return (geometry) => <LearnPage geometry={geometry} />;
  },
  setup: async () => {
    const { SetupPage } = await import("./setup");
    return (geometry) => <SetupPage geometry={geometry} />;
  },
  history: past,
  replay: past,
  players: past,
  player: past,
  health: past,
};

/** Pages that hear the broker; `pair` is none of them, because it is shown in the place of others. */
export const NODE_PAGES: Partial<Record<PageName, Script<(live: Live) => VNode>>> = {
  home: async () => {
    const { HomePage } = await import("./home");
    return ({ bus, node }) => <HomePage bus={bus} node={node} />;
  },
  scoreboard: async () => {
    const { ScoreboardPage } = await import("./scoreboard");
    return ({ client, geometry }) => <ScoreboardPage client={client} geometry={geometry} />;
  },
  control: async () => {
    const { ControlPage } = await import("./control");
    return ({ client, geometry }) => <ControlPage client={client} geometry={geometry} />;
  },
  wall: async () => {
    const { WallPage } = await import("../wall/wall-page");
    return ({ bus, node, geometry }) => <WallPage bus={bus} node={node} geometry={geometry} />;
  },
  tournament: async () => {
    const { TournamentPage } = await import("../tournament/tournament-page");
    return ({ bus, node }) => <TournamentPage bus={bus} node={node} />;
  },
  show: async () => {
    const { ShowPage } = await import("../show/show-page");
    return ({ geometry }) => <ShowPage geometry={geometry} />;
  },
  card: async () => {
    const { CardPage } = await import("./card");
    return ({ bus, node }) => <CardPage bus={bus} node={node} />;
  },
  overlay: async () => {
    const { OverlayPage } = await import("../overlay/overlay-page");
    return ({ client, geometry }) => <OverlayPage client={client} geometry={geometry} />;
  },
};

export const pairPage = async () => (await import("./pair")).PairPage;
