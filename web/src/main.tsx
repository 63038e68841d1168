// The page reads its own address, loads the geometry from the daemon, and subscribes.
import { render } from "preact";
import { storedUser } from "./access";
import { Bus } from "./bus";
import "./css/app.css";
import { knowTitles } from "./game-title";
import { type Geometry, inLanguage } from "./geometry";
import { LOCAL_PAGES, NODE_PAGES, pairPage } from "./pages/scripts";
import type { NodeStatus } from "./match";
import { pageAt } from "./page-paths";
import { FAILURES_BEFORE_TROUBLE } from "./pages/trouble";
import { BoardClient, topicsOf, tournamentTopics, viewTopics, wallTopics } from "./board-client";
import { knowVenue, venue } from "./venue";
import { type Key, language, placeName, t } from "./text";

const RETRY_MS = 1000;
/** Refusals, a second apart, that a logged-in browser tolerates. */
const TOLERATED_REFUSALS = 3;

const root = document.getElementById("app") as HTMLElement;
document.documentElement.lang = language;
const { page: name, parts } = pageAt(location.pathname) ?? { page: "home", parts: {} };
const board = parts.board;
applyTheme(["scoreboard", "wall", "tournament", "overlay"].includes(name));

void begin();

async function begin(): Promise<void> {
  document.documentElement.dataset.page = name;
  say("connecting");
  // The script of the page and the geometry are on their way at the same time.
  const local = loaded(LOCAL_PAGES[name]);
  const page = loaded(NODE_PAGES[name]);
  const geometry = inLanguage(await fetchWithRetries<Geometry>("/geometry.json"), placeName);
  knowTitles(geometry.games);
  knowVenue(geometry.web);
  const alone = await local;
  if (alone) {
    render(alone(geometry, parts), root);
    return;
  }
  const { node } = geometry;
  const me = storedUser();
  // A phone that is logged in, as more than a display, needs no code.
  const isLoggedIn = name === "pair" && afterPairing() !== "/" && me !== undefined && me.role !== "display";
  const broker = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/mqtt`;
  const topics =
    name === "wall"
      ? wallTopics(node)
      : name === "overlay"
        ? viewTopics(node, board)
        : name === "tournament"
          ? tournamentTopics(node)
          : topicsOf(node, board);
  const bus = new Bus(broker, topics, me);
  if (name === "pair" && !isLoggedIn) {
    void showLogin();
    return;
  }
  bus.onChange(() => {
    if (isLoggedIn && bus.connected) location.replace(afterPairing());
    // A new user may connect before the broker has read their name.
    if (bus.refusals > (me ? TOLERATED_REFUSALS : 0)) void showLogin();
  });
  if (isLoggedIn) return;
  reloadOnNewVersion(bus, `oche/${node}/status`);
  reloadWhileNameIsTaken(bus, `oche/${node}/status`);
  if (board) document.title = `${board} · ${venue().name ?? "oche"}`;
  const draw = await page;
  // A broker that refuses this browser may have answered first.
  if (draw && !isLoginShown)
    render(draw({ bus, node, geometry, client: new BoardClient(bus, node, board ?? "") }), root);
}

/** A part of the program that is loaded on demand. Where it does not arrive, the page is loaded again. */
async function loaded<T>(load: (() => Promise<T>) | undefined): Promise<T | undefined> {
  try {
    return await load?.();
  } catch {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    location.reload();
    return new Promise<never>(() => undefined);
  }
}

function say(what: Key): void {
  // Nothing that a film's audience should read.
  if (name === "overlay") return;
  const words = (
    <p class="first" role="status">
      {t(what)}
    </p>
  );
  render(words, root);
}

/**
 * While another daemon has the node name, this one answers for its pages with 503 and an error page. An open page then
 * reloads, because its topics are those of the other daemon.
 */
function reloadWhileNameIsTaken(bus: Bus, topic: string): void {
  let seen: string | undefined;
  let looking = false;
  bus.onChange(() => {
    const instance = bus.read<NodeStatus>(topic)?.instance;
    const news = bus.connected ? instance !== undefined && instance !== seen : seen !== undefined;
    seen = instance ?? seen;
    if (!news || looking) return;
    looking = true;
    void fetch("/", { method: "HEAD" })
      .then((answer) => answer.status === 503 && location.reload())
      .catch(() => undefined) // The daemon is away; the page says so.
      .finally(() => (looking = false));
  });
}

let isLoginShown = false;

async function showLogin(): Promise<void> {
  if (isLoginShown) return;
  isLoginShown = true;
  const PairPage = await loaded(pairPage);
  if (!PairPage) return;
  applyTheme(false);
  document.documentElement.dataset.page = "pair";
  const back = () => location.replace(name === "pair" ? afterPairing() : location.href);
  render(<PairPage onDone={back} />, root);
}

/** The page after the login: the board whose scoreboard showed the code; its scoreboard for a display, else its control page. */
function afterPairing(): string {
  const wanted = new URLSearchParams(location.search).get("board") ?? "";
  if (!/^[a-z0-9-]{1,32}$/.test(wanted)) return "/";
  return storedUser()?.role === "display" ? `/board/${wanted}` : `/board/${wanted}/control`;
}

/** Dark or light: `?theme=`, else dark on a television and the system's preference elsewhere. */
function applyTheme(television: boolean): void {
  const asked = new URLSearchParams(location.search).get("theme");
  const light = matchMedia("(prefers-color-scheme: light)");
  const put = () => {
    document.documentElement.dataset.theme = asked ?? (light.matches && !television ? "light" : "dark");
  };
  light.addEventListener("change", put);
  put();
}

/** The JSON at an address, with retries: the page may be older than the daemon. */
async function fetchWithRetries<T>(address: string): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      const answer = await fetch(address);
      if (answer.ok) return (await answer.json()) as T;
    } catch {
      // The daemon is away; the page shows that it is connecting.
    }
    if (failures === FAILURES_BEFORE_TROUBLE) say("trouble.daemon");
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** A television stays on for months: when the daemon comes back with a newer version, the page reloads. */
function reloadOnNewVersion(bus: Bus, topic: string): void {
  let loaded: string | undefined;
  bus.onChange(() => {
    const version = bus.read<NodeStatus>(topic)?.version;
    if (version === undefined) return;
    if (loaded !== undefined && version !== loaded) location.reload();
    loaded ??= version;
  });
}
