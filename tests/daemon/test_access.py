"""Only users can send commands, a display can only read, and only its owner sees a hand."""

import json
import os
import subprocess
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.daemon.guest import Guest
from tests.daemon.house import BOARD, PLAYERS, House, make_user
from tests.rig import LIMIT_SECONDS, OCHE, oche


def test_clients_without_a_login_get_only_the_pages(house: House) -> None:
    assert house.ask("GET", "/geometry.json")[0] == 200
    assert house.ask("GET", "/pair")[0] == 200
    assert house.ask("GET", "/pairing.json")[0] == 403
    assert house.guest().refused
    assert Guest(house.http, "ann", "wrong").refused
    assert Guest(house.http, "", "").refused


def test_a_code_works_once(house: House) -> None:
    code = house.codes()["player"]
    assert house.ask("POST", "/pair", {"code": code, "name": "Ann"})[0] == 200
    assert house.ask("POST", "/pair", {"code": code, "name": "Eve"})[0] == 403
    assert house.ask("POST", "/pair", {"code": house.codes()["player"], "name": "ann"})[0] == 403, "the name is taken"


def test_only_a_referee_sees_the_player_code(house: House) -> None:
    referee = house.guest(house.pair("referee", "Rita"))
    shown = referee.wait("test/pairing")
    assert shown["code"] == house.codes()["player"]
    assert shown["url"].endswith(f"/pair?code={shown['code']}")
    assert not {house.codes()["referee"], house.codes()["display"]} & set(map(str, shown.values()))


def test_a_display_only_reads(house: House) -> None:
    display = house.guest(house.pair("display", ""), will=f"{BOARD}/match")
    before = display.wait("lounge/match")
    for topic in (f"{BOARD}/match", f"{BOARD}/status", f"{BOARD}/hand/1", "oche/test/status", f"{BOARD}/event"):
        display.publish(topic, {"forged": True}, retain=True)
    for topic in (f"{BOARD}/command", f"{BOARD}/command/ann", f"{BOARD}/command/Ann", f"{BOARD}//command"):
        display.publish(topic, {"id": f"x{len(topic)}", "stop": True})
    display.vanish()
    house.quiet()
    assert not [m for m in house.watcher.seen if isinstance(m.payload, dict) and m.payload.get("forged")]
    assert house.watcher.last("lounge/match")["match"] == before["match"]
    assert not any("/hand/" in topic or "/command" in topic for topic in display.topics())


def test_a_player_sees_only_their_own_hand(house: House) -> None:
    let_in = house.pair("player", "Ann")
    everything = ("#", "+/+/+/+/+/+", "oche/test/board/lounge/hand/+", "$share/all/oche/#", "$SYS/#")
    ann = house.guest(let_in, topics=everything)
    assert ann.wait("hand/ann")["name"] == "Ann"
    house.quiet()
    assert {topic for topic in ann.topics() if "/hand/" in topic} == {f"{BOARD}/hand/ann"}
    assert not any(topic.startswith("$SYS") for topic in ann.topics())
    cards = json.dumps(house.watcher.last("hand/2"))
    assert all(json.dumps(payload) != cards for _, payload in ann.seen)


def test_a_player_acts_only_in_their_own_turn_and_name(house: House) -> None:
    ann, bob = (house.guest(house.pair("player", name)) for name in PLAYERS)
    card = ann.wait("hand/ann")["hand"][0]
    bob.publish(f"{BOARD}/command/bob", {"id": "b1", "choose": {"card": card}})
    assert (
        house.watcher.wait(lambda m: m.topic.endswith("/reply") and m.payload["id"] == "b1", "b1").payload["ok"]
        is False
    )
    bob.publish(f"{BOARD}/command/ann", {"id": "b2", "choose": {"card": card}})
    bob.publish(f"{BOARD}/command", {"id": "b3", "stop": True})
    ann.publish(f"{BOARD}/command/ann", {"id": "a1", "stop": True})
    reply = house.watcher.wait(lambda m: m.topic.endswith("/reply") and m.payload["id"] == "a1", "a1").payload
    assert reply["reason"] == "not_allowed"
    house.quiet()
    assert not [m for m in house.watcher.all("/reply") if m["id"] in ("b2", "b3")]


def test_command_ids_are_separate_for_each_user(house: House) -> None:
    ann = house.guest(house.pair("player", "Ann"))
    card = ann.wait("hand/ann")["hand"][0]
    ann.publish(f"{BOARD}/command/ann", {"id": "1", "choose": {"card": card}})
    done = house.watcher.wait(lambda m: m.topic.endswith("/reply") and m.payload["id"] == "1", "1").payload
    assert done["ok"], done
    assert house.referee.send({"id": "1", "stop": True})["ok"]
    house.watcher.wait(lambda m: m.topic == f"{BOARD}/match" and m.payload is None, "the match stopped")


def test_replies_go_only_to_reply_topics(house: House) -> None:
    referee = house.guest(house.pair("referee", "Rita"))
    for topic in (f"{BOARD}/match", "oche/test/reply/../board/lounge/match", f"{BOARD}/hand/1"):
        referee.publish(f"{BOARD}/command", {"id": topic, "choose": {"card": "none"}}, answer_to=topic)
    referee.publish(f"{BOARD}/command", {"id": "last", "choose": {"card": "none"}}, answer_to="oche/test/reply/rita")
    assert referee.wait("reply/rita")["id"] == "last"
    wrong = [m for m in house.watcher.seen if isinstance(m.payload, dict) and m.payload.get("ok") is False]
    assert {m.topic for m in wrong} <= {
        f"{BOARD}/reply",
        "oche/test/reply/rita",
        "oche/test/reply/../board/lounge/match",
    }


def test_a_response_topic_with_a_wildcard_gets_no_reply(house: House) -> None:
    """mosquitto 2.0 forwards such a command; 2.1 disconnects its sender, as MQTT 5 demands (3.3.2.3.5)."""
    referee = house.guest(house.pair("referee", "Rita"))
    referee.publish(f"{BOARD}/command", {"id": "any", "choose": {"card": "none"}}, answer_to="oche/test/reply/+")
    referee.close()
    house.quiet()
    messages = [m for m in house.watcher.seen if isinstance(m.payload, dict) and m.payload.get("id") == "any"]
    assert {m.topic for m in messages if "ok" in m.payload} <= {f"{BOARD}/reply"}
    # A reply to a wildcard would have disconnected the daemon.
    assert [status["state"] for status in house.watcher.all("oche/test/status")] == ["online"]


def test_a_removed_user_is_disconnected_at_once(house: House) -> None:
    ann = house.guest(house.pair("player", "Ann"))
    ann.wait("hand/ann")
    oche("access", "remove", "ann", "--data", str(house.daemon.data))
    assert ann.gone()
    house.watcher.wait(lambda m: m.topic == f"{BOARD}/hand/ann" and m.payload is None, "the hand cleared")


def test_a_new_user_with_the_name_of_a_removed_one_has_only_their_own_rights(house: House) -> None:
    """Both within a second, so that no access list lacks the name: the old connection still ends."""
    ann = house.guest(house.pair("player", "Ann"))
    ann.wait("hand/ann")
    oche("access", "remove", "ann", "--data", house.daemon.data)
    made = make_user(house.daemon.data, "ann", "display")
    assert ann.gone()
    again = house.guest({"user": "ann", "password": made})
    again.wait("lounge/match")
    house.quiet()
    assert not any("/hand/" in topic for topic in again.topics())


def test_the_will_of_a_removed_user_is_not_published(house: House) -> None:
    ann = house.guest(house.pair("player", "Ann"), will=f"{BOARD}/command/bob")
    ann.wait("hand/ann")
    since = len(house.watcher.seen)
    oche("access", "remove", "ann", "--data", str(house.daemon.data))
    assert ann.gone()
    house.quiet()
    assert not [m for m in house.watcher.seen[since:] if isinstance(m.payload, dict) and m.payload.get("forged")]


def test_concurrent_wrong_codes_are_all_counted(house: House) -> None:
    right = house.codes()["referee"]
    wrong = [code for code in map(str, range(100_000, 100_040)) if code not in house.codes().values()]
    with ThreadPoolExecutor(20) as guessing:
        tried = list(guessing.map(lambda code: house.ask("POST", "/pair", {"code": code, "name": "Eve"}), wrong))
    assert sum("look again" in refusal["message"] for _, refusal in tried) == 10
    assert house.ask("POST", "/pair", {"code": right, "name": "Eve"})[0] == 403


def test_a_player_cannot_read_the_codes(house: House) -> None:
    ann = house.pair("player", "Ann")
    token = b64encode(f"{ann['user']}:{ann['password']}".encode()).decode()
    assert house.ask("GET", "/pairing.json", Authorization=f"Basic {token}")[0] == 403


def test_a_password_generated_at_the_terminal_is_valid(house: House) -> None:
    made = make_user(house.daemon.data, "rita", "referee")
    rita = house.guest({"user": "rita", "password": made})
    rita.wait("lounge/match")
    rita.publish(f"{BOARD}/command", {"id": "r", "stop": True})
    house.watcher.wait(lambda m: m.topic == f"{BOARD}/match" and m.payload is None, "the match stopped")


def test_ten_wrong_codes_close_pairing(house: House) -> None:
    right = house.codes()["player"]
    wrong = "000000" if right != "000000" else "111111"
    for _ in range(10):
        assert house.ask("POST", "/pair", {"code": wrong, "name": "Eve"})[0] == 403
    status, refusal = house.ask("POST", "/pair", {"code": right, "name": "Eve"})
    assert status == 403
    assert "ten minutes" in refusal["message"]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"X_Forwarded_For": "192.0.2.7"},
        {"host": "elsewhere.example"},
    ],
    ids=["another site", "a proxy", "a foreign host name"],
)
def test_other_sites_proxies_and_hosts_are_not_local(house: House, headers: dict[str, str]) -> None:
    status, _ = house.ask("GET", "/pairing.json", **({"host": "localhost"} | headers))
    assert status == 403


def test_websockets_of_other_sites_are_refused(house: House) -> None:
    key = {"Upgrade": "websocket", "Connection": "Upgrade", "Sec_WebSocket_Key": "AAAAAAAAAAAAAAAAAAAAAA=="}
    status, _ = house.ask(
        "GET", "/mqtt", host="localhost", Sec_WebSocket_Version="13", Origin="http://elsewhere.example", **key
    )
    assert status == 403


@pytest.mark.parametrize(
    "path", ["/../../../../etc/passwd", "/%2e%2e/%2e%2e/%2e%2e/etc/passwd", "//etc/passwd", "/..%2fusers.json"]
)
def test_only_the_files_of_the_pages_are_served(house: House, path: str) -> None:
    status, text = house.ask("GET", path)
    assert status in (200, 400, 404)
    assert b"root:" not in text
    assert b"secret" not in text


def test_the_history_requires_a_login(house: House) -> None:
    display, referee = house.pair("display", ""), house.pair("referee", "Rita")

    def as_user(user: dict[str, str], method: str, path: str) -> int:
        return house.ask(method, path, Authorization=f"Basic {login(user)}")[0]

    assert house.ask("GET", "/history.json")[0] == 401
    assert house.ask("DELETE", "/players/Ann")[0] == 401
    assert as_user(display, "GET", "/history.json") == 200
    assert as_user(display, "DELETE", "/players/Ann") == 401
    assert as_user(display | {"password": "wrong"}, "GET", "/history.json") == 401
    assert as_user(referee, "DELETE", "/players/Nobody") == 404


def test_only_a_referee_sees_and_changes_what_rules_send(house: House) -> None:
    asked = [("GET", "/show.json"), ("POST", "/show.json"), ("POST", "/show/try"), ("POST", "/show/lights")]
    asked.append(("PUT", "/show/180.mp3"))
    logins = ["", *(login(house.pair(role, name)) for role, name in (("display", ""), ("player", "Ann")))]
    for token in logins:
        found = {house.ask(method, path, Authorization=f"Basic {token}")[0] for method, path in asked}
        assert found == {401}
    referee = login(house.pair("referee", "Rita"))
    assert house.ask("GET", "/show.json", Authorization=f"Basic {referee}")[0] == 200


def test_only_a_referee_sees_which_beds_of_a_board_fail(house: House) -> None:
    for token in ("", *(login(house.pair(role, name)) for role, name in (("display", ""), ("player", "Ann")))):
        assert house.ask("GET", "/board/lounge/health.json", Authorization=f"Basic {token}")[0] == 401
    referee = login(house.pair("referee", "Rita"))
    assert house.ask("GET", "/board/lounge/health.json", Authorization=f"Basic {referee}")[0] == 200


def test_players_enter_a_tournament_under_their_own_name_alone(house: House) -> None:
    def send(user: dict[str, str] | None, path: str, body: dict[str, object]) -> int:
        headers = {} if user is None else {"Authorization": f"Basic {login(user)}"}
        return house.ask("POST", path, body, **headers)[0]

    display, ann, referee = (house.pair(role, n) for role, n in (("display", ""), ("player", "Ann"), ("referee", "R")))
    setup = {"tournament": 1, "name": "Friday", "format": "knockout"}
    for user, status in ((None, 401), (display, 401), (ann, 401), (referee, 200)):
        assert send(user, "/tournament.json", dict(setup)) == status
    for user, status in ((None, 401), (display, 401), (ann, 200)):
        assert send(user, "/tournament/enter", {"enter": "Ann"}) == status
    assert send(ann, "/tournament/enter", {"enter": "Bob"}) == 403
    assert send(ann, "/tournament/enter", {"enter": "ann"}) == 422
    assert send(ann, "/tournament/enter", {"draw": "x"}) == 400
    assert send(ann, "/tournament/enter", {"withdraw": "Ann"}) == 200
    assert house.ask("GET", "/tournament.json")[0] == 401
    status, state = house.ask("GET", "/tournament.json", Authorization=f"Basic {login(display)}")
    assert (status, state["entrants"]) == (200, [])
    assert house.guest(display).wait("tournament")["name"] == "Friday"
    # After the draw nobody enters any more; a player still leaves, under their own name alone.
    for name in ("Ann", "Bob", "Cem"):
        assert send(referee, "/tournament.json", {"enter": {"name": name}}) == 200
    assert send(referee, "/tournament.json", {"draw": "x"}) == 200
    assert send(house.pair("player", "Eve"), "/tournament/enter", {"enter": "Eve"}) == 409
    assert send(ann, "/tournament/enter", {"withdraw": "Bob"}) == 403
    assert send(ann, "/tournament/enter", {"withdraw": "Ann"}) == 200
    _, state = house.ask("GET", "/tournament.json", Authorization=f"Basic {login(display)}")
    assert [entrant["name"] for entrant in state["entrants"] if entrant.get("withdrawn")] == ["Ann"]


def login(user: dict[str, str]) -> str:
    """The name and the password of a user, as HTTP sends them."""
    return b64encode(f"{user['user']}:{user['password']}".encode()).decode()


def test_too_large_headers_are_refused(house: House) -> None:
    status, _ = house.ask("GET", "/pairing.json", host="localhost", X_Long="x" * 100_000)
    assert status == 400


def test_the_terminal_prints_a_qr_code(house: House) -> None:
    ours, theirs = os.openpty()
    try:
        command = [OCHE, "access", "code", "--http", f"127.0.0.1:{house.http}"]
        subprocess.run(command, stdout=theirs, stderr=subprocess.DEVNULL, check=True, timeout=LIMIT_SECONDS)
        text = os.read(ours, 100_000).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert f"player  {house.codes()['player']}" in text
    assert "█" in text
