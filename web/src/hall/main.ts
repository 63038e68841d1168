// Keeps the boards on a page of a hall live: asks for what has changed, and puts it in. On a wall it turns the parts.
//
// Polling instead of server-sent events: an answer is the same for whoever asks in the same second, any process behind
// any proxy can give it, and a page that was away is right again with its next question.
import { partsOf } from "./paging";
import "../css/hall.css";
import "../css/hall-tables.css";

const POLL_MS = 2000;
const PART_MS = 12_000;
const FAILURES_BEFORE_LOST = 3;
/** The least pixels of a hundredth of the screen's short side: on a small screen fewer boards are shown at once. */
const LEAST_UNIT = 7;

interface Changes {
  since: string;
  /** The list of boards is another one: the page is asked for again. */
  again?: true;
  /** HTML by node and board. */
  boards?: Record<string, string>;
}

const isWall = document.documentElement.dataset.page === "wall";
const banner = document.querySelector<HTMLElement>(".banner.lost");
let part = 0;
let failures = 0;

arrange();
addEventListener("resize", arrange);
if (isWall) setInterval(turn, PART_MS);
void follow();

async function follow(): Promise<never> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (document.hidden) continue;
    try {
      await update();
      failures = 0;
    } catch {
      failures++;
    }
    const lost = failures >= FAILURES_BEFORE_LOST;
    if (banner) banner.hidden = !lost;
    live().classList.toggle("stale", lost);
  }
}

async function update(): Promise<void> {
  const { since = "", node } = live().dataset;
  const query = new URLSearchParams({ since, ...(node === undefined ? {} : { node }) });
  const changes = (await (await answer(`/live?${query}`)).json()) as Changes;
  if (changes.again) {
    const page = parsed(await (await answer(location.href)).text()).getElementById("live");
    if (page) live().replaceWith(page);
  } else {
    for (const [key, html] of Object.entries(changes.boards ?? {})) {
      const board = parsed(html).querySelector(".board");
      if (board)
        live()
          .querySelector(`[data-board="${CSS.escape(key)}"]`)
          ?.replaceWith(board);
    }
    live().dataset.since = changes.since;
  }
  arrange();
}

async function answer(address: string): Promise<Response> {
  const found = await fetch(address);
  if (!found.ok) throw new Error(`status ${found.status}`);
  return found;
}

function live(): HTMLElement {
  return document.getElementById("live") as HTMLElement;
}

function parsed(html: string): Document {
  return new DOMParser().parseFromString(html, "text/html");
}

function turn(): void {
  part++;
  arrange();
}

/** Lays the boards of a wall out, and shows those of the present part. */
function arrange(): void {
  if (!isWall) return;
  const boards = [...live().querySelectorAll<HTMLElement>(".board")];
  const room = live().getBoundingClientRect();
  const unit = Math.max(LEAST_UNIT, Math.min(innerWidth, innerHeight) / 100);
  const parts = partsOf(boards.length, room.width, room.height, unit);
  part = parts.length > 0 ? part % parts.length : 0;
  const shown = parts[part];
  if (!shown) return;
  live().style.setProperty("--columns", String(shown.columns));
  live().style.setProperty("--rows", String(shown.rows));
  boards.forEach((board, at) => {
    board.hidden = at < shown.first || at >= shown.end;
    board.style.setProperty("--places", String(Math.max(1, board.querySelectorAll("li").length)));
  });
  const said = document.querySelector<HTMLElement>(".part");
  if (!said) return;
  const values: Record<string, number> = { first: shown.first + 1, last: shown.end, n: boards.length };
  const text = (said.dataset.part ?? "").replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
  said.textContent = parts.length > 1 ? text : "";
}
