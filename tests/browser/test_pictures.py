"""Each game looks as it did when somebody looked at it last: pictures are compared with approved ones.

Pictures are compared at a quarter of their size, where the edges of letters, which every machine draws a little
otherwise, have melted into their surroundings. A point differs where red, green or blue is more than 32 of 255
off; the picture differs where more than 1 % of its points do. A panel, a player or a dart more is above that.
"""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page

from tests.pictures import COMPARED, LAPTOP, SHOTS, Shot, Studio, approved_name, studio

APPROVED: Final = Path(__file__).parent / "approved"
POINTS: Final = 0.01
OFF: Final = 32

COMPARE: Final = """async ([one, other, off]) => {
  const points = async source => {
    const picture = new Image();
    picture.src = source;
    await picture.decode();
    const canvas = new OffscreenCanvas(Math.round(picture.width / 4), Math.round(picture.height / 4));
    const pen = canvas.getContext("2d");
    pen.imageSmoothingQuality = "high";
    pen.drawImage(picture, 0, 0, canvas.width, canvas.height);
    return pen.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  const [a, b] = [await points(one), await points(other)];
  if (a.length !== b.length) return 1;
  let different = 0;
  for (let i = 0; i < a.length; i += 4)
    if ([0, 1, 2].some(channel => Math.abs(a[i + channel] - b[i + channel]) > off)) different++;
  return different / (a.length / 4);
}"""


@pytest.fixture(scope="module")
def set_up(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    with studio(chromium, tmp_path_factory.mktemp("studio")) as running:
        yield running


@pytest.fixture
def blank(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page()
    yield page
    page.close()


def address(picture: bytes) -> str:
    return f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}"


@pytest.mark.parametrize("shot", SHOTS, ids=lambda shot: shot.game)
def test_a_game_looks_as_approved(set_up: Studio, blank: Page, tmp_path: Path, shot: Shot) -> None:
    actor = set_up.play(shot)
    for size in COMPARED:
        name = approved_name(shot, size)
        taken = set_up.picture(actor, size, kind="jpeg")
        (tmp_path / name).write_bytes(taken)
        share = blank.evaluate(COMPARE, [address((APPROVED / name).read_bytes()), address(taken), OFF])
        assert share <= POINTS, f"{share:.1%} of {tmp_path / name} differs; scripts/pictures approve, if it is right"


def test_another_picture_is_told_from_the_approved_one(blank: Page) -> None:
    """The tolerance lets no other moment of a match through."""
    one, other = (address((APPROVED / approved_name(SHOTS[number], LAPTOP)).read_bytes()) for number in (0, 2))
    assert blank.evaluate(COMPARE, [one, other, OFF]) > 5 * POINTS
    assert blank.evaluate(COMPARE, [one, one, OFF]) == 0
