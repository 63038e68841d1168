"""What a person does with the pages and sees on them, by the names that the pages give things."""

from collections.abc import Mapping, Sequence

from playwright.sync_api import Page, expect

from tests.learning.unknown import Unknown, draw

Options = Mapping[str, str | bool]
"""What is chosen in the form of a match, by label."""


def start(phone: Page, game: str, players: Sequence[str], options: Options | None = None) -> None:
    """Fills in the form of a new match and starts it."""
    phone.get_by_role("searchbox").fill(game)
    phone.get_by_text(game, exact=True).click()
    names = phone.locator(".seats input:not([type])")
    while names.count() < len(players):
        phone.get_by_role("button", name="Add a player").click()
    while names.count() > len(players):
        phone.get_by_role("button", name="Remove").last.click()
    for i, player in enumerate(players):
        names.nth(i).fill(player)
    if options:
        phone.get_by_text("Options").click()
    for label, value in (options or {}).items():
        field = phone.get_by_label(label)
        if isinstance(value, bool):
            field.set_checked(value)
        elif field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    phone.get_by_role("button", name="Game on").click()
    expect(phone.locator(".playing")).to_be_visible()


def press(phone: Page, button: str) -> None:
    """One of the big buttons, once it can be pressed."""
    phone.get_by_role("navigation").get_by_role("button", name=button).click()


def roll(phone: Page, dice: str) -> None:
    """Types in what real dice show, and waits until they count."""
    shown = phone.get_by_label("Enter the dice")
    shown.fill(dice)
    phone.get_by_role("button", name="Send").click()
    expect(shown).to_have_count(0)


def sees_darts(page: Page, *darts: str) -> None:
    """The darts of the turn, as the television and the phone show them."""
    places = page.locator(".slot:not(.open), button.chip")
    expect(places).to_have_text(list(darts))


def sees_scores(page: Page, *scores: str) -> None:
    """The players' scores, in their order."""
    expect(page.locator(".players .score, .mini output, .cricket .score")).to_have_text(list(scores))


def were_darts(phone: Page, *beds: str) -> None:
    """What the board reported again so soon that it cannot tell: one touch for each makes it a dart."""
    asked = phone.get_by_role("group", name="Was this a second dart? Touch it if it was.")
    for n, bed in enumerate(beds):
        expect(asked.get_by_role("button")).to_have_text(list(beds[n:]))
        asked.get_by_role("button", name=bed).first.click()
    expect(asked).to_have_count(0)


def pad(phone: Page, ring: str, number: str) -> None:
    """A dart by way of the number pad."""
    numbers = phone.get_by_role("button", name="Numbers")
    if numbers.get_attribute("aria-pressed") != "true":
        numbers.click()
    phone.get_by_role("button", name=ring, exact=True).click()
    phone.locator(".numbers-grid").get_by_text(number, exact=True).click()


def plain_board() -> Unknown:
    """A board that nobody knows, whole and regular, of lines, without buttons: the first that is drawn so."""
    return next(
        board
        for board in map(draw, range(500))
        if board.regular
        and not board.byte
        and not board.buttons
        and None not in board.codes.values()
        and len(set(board.codes.values())) == len(board.codes)
    )


NOTE_SHOUTS = """() => {
  window.shouts = [];
  const note = () => {
    const shout = document.querySelector(".flash");
    if (shout) shouts.push(shout.className + ": " + shout.textContent);
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
}"""


def note_shouts(page: Page) -> None:
    """From now on the page notes each word that it shows across the board.

    It is there for two seconds: on a busy machine it is gone before anybody looks.
    """
    page.evaluate(NOTE_SHOUTS)


def was_shouted(page: Page, kind: str, words: str) -> None:
    """Waits until a word of this kind, with these words in it, was across the board since `note_shouts`."""
    page.wait_for_function(
        "([kind, words]) => shouts.some(shout => shout.startsWith(`flash ${kind}: `) && shout.includes(words))",
        arg=[kind, words],
    )
