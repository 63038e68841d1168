"""A display cannot read a code; users who were added with a code are shown, and can be confirmed or removed."""

import json
import re
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daemon.main import main
from daemon.people.access import DISPLAY, Origin, Role, User, access_list
from daemon.people.newcomers import MAX_USERS, REFEREE_PLACES, confirm, no_place, remove, unconfirmed
from daemon.people.users import FILE, change, load, save
from tests.daemon.house import BOARD, House

ROOT = Path(__file__).parents[2]
EVERYTHING = ("#", "oche/test/pairing", "oche/+/pairing", "$share/all/oche/#", "$share/one/oche/test/pairing")
SECRET = "$7$1$AAAA$AAAA"
TIMES_AND_IDS = re.compile(r"\d{4}-\d\d-\d\dT[\d:.+]+|\d{8}-\d{6}-[0-9a-f]+|referee-\d+-\d+")
"""Times, ids of matches, and ids of the referee's commands: their digits can be those of a code by chance."""
EVE = Origin("Eve", "192.0.2.7", "2026-11-22T20:00:00Z")


def _password(user: dict[str, str]) -> str:
    token = b64encode(f"{user['user']}:{user['password']}".encode())
    return f"Basic {token.decode()}"


def _shown(house: House) -> list[dict[str, str]]:
    payload = house.watcher.last("test/unconfirmed")
    return [] if payload is None else payload["users"]


def _decide(house: House, body: Any, user: dict[str, str] | None = None) -> int:
    if user is None:
        return house.ask("POST", "/unconfirmed", body, host="localhost")[0]
    return house.ask("POST", "/unconfirmed", body, Authorization=_password(user))[0]


@pytest.mark.parametrize(("role", "name"), [("display", ""), ("player", "Eve")])
def test_displays_and_players_cannot_read_a_code(house: House, role: str, name: str) -> None:
    found = house.pair(role, name)
    guest = house.guest(found, topics=EVERYTHING)
    guest.wait("lounge/match")
    house.pair("player", "Ann")
    house.watcher.wait(lambda m: m.topic == f"{BOARD}/hand/ann" and m.payload is not None, "Ann's hand")
    house.quiet()
    guest.wait("test/unconfirmed")
    assert not [topic for topic in guest.topics() if topic.endswith("/pairing")]
    for path in ("/pairing.json", "/history.json", "/players.json", "/geometry.json", "/games.json"):
        _, answer = house.ask("GET", path, Authorization=_password(found))
        guest.seen.append((path, answer if isinstance(answer, dict | list) else str(answer)))
    seen = [(topic, TIMES_AND_IDS.sub("", json.dumps(said))) for topic, said in guest.seen]
    assert not [(code, topic, text) for code in house.codes().values() for topic, text in seen if code in text]


def test_an_added_user_is_shown_until_confirmed(house: House) -> None:
    display = house.guest(house.pair("display", ""))
    house.pair("player", "Ann")
    house.watcher.wait(
        lambda m: m.topic == "oche/test/unconfirmed" and m.payload and len(m.payload["users"]) == 2, "both of them"
    )
    assert [(one["user"], one["role"], one.get("name"), one["from"]) for one in _shown(house)][1:] == [
        ("ann", "player", "Ann", "127.0.0.1")
    ]
    display.wait("test/unconfirmed")
    names = [one["user"] for one in _shown(house)]
    assert _decide(house, {"confirm": names}) == 200
    house.watcher.wait(lambda m: m.topic == "oche/test/unconfirmed" and m.payload is None, "no unconfirmed user")
    assert {user.name: user.unconfirmed for user in load(house.daemon.data).values()} == dict.fromkeys(names)
    assert _decide(house, {"remove": names}) == 200
    assert set(load(house.daemon.data)) == set(names), "only `oche access` removes a confirmed user"


def test_a_user_removed_by_a_referee_is_disconnected_at_once(house: House) -> None:
    eve = house.guest(house.pair("player", "Ann"))
    eve.wait("hand/ann")
    assert _decide(house, {"remove": ["ann", "nobody"]}) == 200
    assert eve.gone()
    house.watcher.wait(lambda m: m.topic == f"{BOARD}/hand/ann" and m.payload is None, "the hand cleared")
    assert load(house.daemon.data) == {}
    house.pair("player", "Ann")


def test_only_a_confirmed_referee_decides(house: House) -> None:
    rita, rob = house.pair("referee", "Rita"), house.pair("referee", "Rob")
    ann, display = house.pair("player", "Ann"), house.pair("display", "")
    everyone = [user["user"] for user in (rita, rob, ann, display)]
    before = load(house.daemon.data)
    assert house.ask("POST", "/unconfirmed", {"confirm": everyone})[0] == 401
    for user in (ann, display, rita | {"password": "wrong"}):
        assert _decide(house, {"confirm": everyone}, user) == 401
        assert _decide(house, {"remove": everyone}, user) == 401
    wrongs: tuple[Any, ...] = ({}, [], {"confirm": "ann"}, {"confirm": [1]}, {"confirm": [], "x": 1}, {"remove": None})
    for wrong in wrongs:
        assert _decide(house, wrong) == 400
    # Both are new referees, and may be the same person: neither can confirm the other.
    for user in (rita, rob):
        for body in ({"confirm": ["rita"]}, {"confirm": ["rob"]}, {"remove": ["ann"]}):
            assert _decide(house, body, user) == 403
    assert load(house.daemon.data) == before
    assert _decide(house, {"confirm": ["rob"]}) == 200, "at the machine"
    assert _decide(house, {"confirm": ["rita", "ann"]}, rob) == 200
    confirmed = {name for name, user in load(house.daemon.data).items() if user.unconfirmed is None}
    assert confirmed == {"rob", "rita", "ann"}


def test_players_cannot_take_the_referees_places(house: House) -> None:
    full = {f"p-{n}": User(f"p-{n}", "player", SECRET) for n in range(MAX_USERS - REFEREE_PLACES)}
    save(house.daemon.data, full)

    for role in ("player", "display"):
        status, refusal = house.ask("POST", "/pair", {"code": house.codes()[role], "name": "Eve"})
        assert status == 403
        assert refusal["message"].startswith("All places are taken")
    assert set(load(house.daemon.data)) == set(full)
    house.pair("referee", "Rita")


ROLES: st.SearchStrategy[Role] = st.sampled_from(["display", "player", "referee"])


@given(st.lists(ROLES, max_size=MAX_USERS + 60), ROLES)
def test_places_are_limited_by_role(asked: list[Role], last: Role) -> None:
    users: list[User] = []
    for n, role in enumerate(asked):
        if no_place(role, users) is None:
            users.append(User(f"u-{n}", role, SECRET))
    others = [user for user in users if user.role != "referee"]
    assert len(users) <= MAX_USERS
    assert len(others) <= MAX_USERS - REFEREE_PLACES
    if len(users) - len(others) < REFEREE_PLACES:
        assert no_place("referee", users) is None
    if len(users) < MAX_USERS and len(others) < MAX_USERS - REFEREE_PLACES:
        assert no_place(last, users) is None


def test_the_last_places_are_for_referees() -> None:
    full = [User(f"u-{n}", "player", SECRET) for n in range(MAX_USERS - REFEREE_PLACES)]
    assert no_place("player", full[1:]) is None
    assert no_place("player", full) is not None
    assert no_place("display", full) is not None
    assert no_place("referee", full) is None


def test_confirm_and_remove() -> None:
    users = {"eve": User("eve", "player", SECRET, EVE), "ann": User("ann", "player", SECRET)}
    assert unconfirmed(users) == {
        "users": [{"user": "eve", "role": "player", "name": "Eve", "from": "192.0.2.7", "time": "2026-11-22T20:00:00Z"}]
    }
    assert remove(users, ["eve", "ann"]) == {"ann": users["ann"]}
    assert unconfirmed(confirm(users, ["eve"])) is None
    assert confirm(users, ["ann", "bob"]) == users


def test_unconfirmed_users_survive_a_restart(tmp_path: Path) -> None:
    users = {"eve": User("eve", "player", SECRET, EVE)}
    save(tmp_path, users)
    assert load(tmp_path) == users


@pytest.mark.parametrize("odd", [1, "x", [], {}, {"name": 1, "address": "x", "time": "y"}])
def test_a_user_with_a_damaged_origin_stays_unconfirmed(tmp_path: Path, odd: object) -> None:
    (tmp_path / FILE).write_text(json.dumps([{"name": "eve", "role": "player", "secret": SECRET, "unconfirmed": odd}]))
    assert load(tmp_path)["eve"].unconfirmed is not None


def test_the_terminal_lists_confirms_and_removes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ["--data", str(tmp_path)]
    change(tmp_path, lambda _: {name: User(name, "player", SECRET, EVE) for name in ("ann", "bob", "eve")})
    assert main(["access", "confirm", "ann", "nobody", *data]) == 1
    assert "'nobody'" in capsys.readouterr().err
    assert main(["access", "confirm", "ann", *data]) == 0
    assert main(["access", "remove", "eve", "bob", "x", *data]) == 1
    assert main(["access", "remove", "eve", *data]) == 0
    assert main(["access", "list", *data]) == 0
    assert capsys.readouterr().out == "ann  player\nbob  player  not confirmed, added from 192.0.2.7\n"


def test_the_guides_and_the_access_list_have_the_same_sentence() -> None:
    for page in ("SECURITY.md", "docs/access.md"):
        assert DISPLAY in " ".join((ROOT / page).read_text().split()), page
    listed = access_list("test", [User("tv", "display", SECRET), User("ann", "player", SECRET)])
    assert listed.count(DISPLAY) == 1


def test_the_sentence_lists_what_a_display_reads() -> None:
    """Every topic of the access list has its words in the sentence, and vice versa."""
    lines = [line for line in access_list("test", [User("tv", "display", SECRET)]).splitlines() if "topic" in line]
    words = {
        "statuses": {"oche/test/status", "oche/test/board/+/status"},
        "hits": {"oche/test/board/+/hit"},
        "matches": {"oche/test/board/+/match"},
        "events": {"oche/test/board/+/event"},
        "what rules show": {"oche/test/board/+/show"},
        "replies": {"oche/test/board/+/reply"},
        "the tournament": {"oche/test/tournament", "oche/test/tournament/event"},
        "the unconfirmed users": {"oche/test/unconfirmed"},
    }
    assert {line.removeprefix("topic read ") for line in lines} == set().union(*words.values())
    assert all(word in DISPLAY for word in words)
