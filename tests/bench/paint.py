"""From the last byte of a dart on the wire to the frame on a television that shows it, and of one message over the bus.

The television is a real page in a real Chromium, 1920 by 1080. The frame
counts as painted when the browser takes up the first task after the animation
frame in which the new state was in the document; up to a sixtieth of a second
of it is the wait for that frame. The page's clock and ours are compared by
asking for the page's time again and again: the quickest answer is the truest.

The hop: a message of the same size from this process through the same broker
and back to it, with nothing else on the way.
"""

import asyncio
import json
import time
from pathlib import Path
from typing import Any, Final

import aiomqtt
from playwright.async_api import Page, async_playwright

from tests.bench.figures import Figure, quantile
from tests.bench.latency import BEDS, FLOOR_TOPIC, ROOT, START, Subscriber, close_turn
from tests.chromium import ARGUMENTS, PROGRAM
from tests.rig import Daemon, Mosquitto, PtyBoard

ASKED: Final = 40
"""How often the page is asked for its time."""

STAMPS: Final = """() => {
  window.painted = new Map();
  const main = () => document.querySelector("main[data-revision]")?.dataset.revision;
  let seen = main();
  new MutationObserver(() => {
    const revision = main();
    if (revision === seen) return;
    seen = revision;
    requestAnimationFrame(() => {
      const after = new MessageChannel();
      after.port1.onmessage = () => painted.set(revision, performance.now());
      after.port2.postMessage(null);
    });
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["data-revision"] });
}"""


async def measure(folder: Path, darts: int) -> list[Figure]:
    """The times of `darts` darts and as many hops, in turns."""
    pty = PtyBoard(folder)
    frames: list[float] = []
    hops: list[float] = []
    with Mosquitto(folder) as broker:
        nodelay = ((6, 1, 1),)
        async with (
            aiomqtt.Client("127.0.0.1", broker.port, socket_options=nodelay) as listening,
            aiomqtt.Client("127.0.0.1", broker.port, socket_options=nodelay) as speaking,
        ):
            subscriber = Subscriber(listening)
            task = asyncio.create_task(subscriber.run())
            arguments = ("--board", f"lounge=maddarts@{pty.path}", "--broker", broker.url)
            with Daemon(folder, *arguments, node="bench", forks=False) as daemon:
                await subscriber.until(lambda: subscriber.online)
                await speaking.publish(f"{ROOT}/command", json.dumps(START), qos=1)
                await subscriber.until(lambda: bool(subscriber.state))
                async with async_playwright() as playwright:
                    browser = await playwright.chromium.launch(executable_path=PROGRAM, args=[*ARGUMENTS])
                    page = await browser.new_page(viewport={"width": 1920, "height": 1080})
                    await page.goto(f"http://127.0.0.1:{daemon.http}/board/lounge")
                    await page.wait_for_selector("main[data-revision]:not(.stale)")
                    await page.evaluate(STAMPS)
                    for n in range(darts):
                        # Measured again from time to time: clocks drift.
                        if n % 100 == 0:
                            offset = await _offset(page)
                        frames.append(await _dart(subscriber, pty, page, offset, n))
                        hops.append(await _hop(subscriber, speaking))
                        await close_turn(subscriber, speaking)
                    await browser.close()
            task.cancel()
    pty.unplug()
    return _figures(frames, hops)


async def _offset(page: Page) -> float:
    """What is to be added to the page's time, in ms, to have ours."""
    found: list[tuple[float, float]] = []
    for _ in range(ASKED):
        before = time.perf_counter_ns() / 1e6
        theirs: float = await page.evaluate("performance.now()")
        after = time.perf_counter_ns() / 1e6
        found.append((after - before, (before + after) / 2 - theirs))
    return min(found)[1]


async def _dart(subscriber: Subscriber, pty: PtyBoard, page: Page, offset: float, n: int) -> float:
    revision = subscriber.state["revision"]
    start = time.perf_counter_ns() / 1e6
    pty.say(BEDS[n % 2])
    await subscriber.until(lambda: subscriber.state["revision"] > revision)
    shown = str(subscriber.state["revision"])
    painted: Any = await page.wait_for_function("revision => painted.get(revision)", arg=shown, polling=20)
    return float(await painted.json_value()) + offset - start


async def _hop(subscriber: Subscriber, client: aiomqtt.Client) -> float:
    payload, count = "x" * subscriber.state_size, subscriber.floor
    start = time.perf_counter_ns()
    await client.publish(FLOOR_TOPIC, payload, qos=1)
    await subscriber.until(lambda: subscriber.floor > count)
    return (subscriber.floor_ns - start) / 1e6


def _figures(frames: list[float], hops: list[float]) -> list[Figure]:
    parts = (("p50", 0.5), ("p99", 0.99))
    return [
        *(
            Figure(f"dart on the wire to painted frame, {name}", quantile(frames, part), "ms", 100.0)
            for name, part in parts
        ),
        *(Figure(f"a bare hop over the bus, {name}", quantile(hops, part), "ms") for name, part in parts),
    ]
