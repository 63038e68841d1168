"""What a guest's house tells the host when it leaves, with answers that come late."""

from types import SimpleNamespace
from typing import Any, cast

from daemon.houses.guest_line import LEAVES, GuestLine

MATCH, HOST = "20260101-200000-aaaaaa", "anna/lounge"


class Rig:
    """A board that plays as a guest, without its daemon: what is sent to the host is in `sent`."""

    def __init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.guest = SimpleNamespace(
            copy=SimpleNamespace(host=HOST, row=SimpleNamespace(id=MATCH), actions=0), waiting=(), show=lambda: None
        )
        changed: list[Any] = []
        session = SimpleNamespace(name="lounge", guest=self.guest, on_change=changed.append)
        shared = SimpleNamespace(send=lambda _topic, body: self.sent.append(body))
        row = SimpleNamespace(ended="2026-01-01T20:10:00+00:00", result="stopped")
        history = SimpleNamespace(match=lambda _id: row)
        self.line = GuestLine("bob", cast(Any, session), cast(Any, shared), cast(Any, history))
        (self.changed,) = changed

    def leave(self) -> None:
        """Somebody stops the match in this house."""
        self.changed()
        self.guest.copy = None
        self.changed()

    def asked(self) -> list[dict[str, Any]]:
        """What the line sends in its next round."""
        self.sent.clear()
        self.line._ask()
        return list(self.sent)


def test_an_answer_to_an_earlier_question_does_not_keep_the_host_from_hearing_that_the_house_leaves() -> None:
    rig = Rig()
    (follow,) = rig.asked()
    assert follow["follow"] is True
    rig.leave()
    rig.line.hear(HOST, {"id": follow["id"], "ok": True, "match": MATCH})
    (leave,) = rig.asked()
    assert (leave["leave"], leave["match"]) == (True, MATCH)
    rig.line.hear(HOST, {"id": leave["id"], "ok": True, "match": MATCH})
    assert rig.asked() == []


def test_a_host_that_does_not_answer_is_told_a_few_times() -> None:
    rig = Rig()
    rig.leave()
    told = [rig.asked() for _ in range(LEAVES + 2)]
    assert [len(one) for one in told] == [1] * LEAVES + [0, 0]
    assert len({one[0]["id"] for one in told if one}) == 1
