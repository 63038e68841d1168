"""Ways of breaking promises 3 to 6: odd input, what is away, displays that join, records that play to the same end."""

import ast
from typing import Final

from tests.faults.mutation import Mutation, at
from tests.faults.selectors import condition, constant, rewritten, without, words

_WHOLE: Final = "tests/daemon/test_whole_way.py"
_COMMANDS: Final = "tests/faults/test_commands.py"
_INBOX: Final = "tests/faults/test_inbox.py"
_HOSTILE: Final = "tests/daemon/test_hostile.py"
_PACED: Final = "tests/daemon/test_paced_protocol.py"
_READ_ACTIONS: Final = at("daemon.record.reader:History.actions", ast.Constant, "ORDER BY n")
_SETTINGS: Final = "daemon.mqtt.mosquitto:"

LIMITS: Final = (
    Mutation(3, "unbounded-json", at("engine.jsontext:parse", ast.If, "MAX_BYTES"), condition(False), _COMMANDS),
    Mutation(
        3,
        "half-characters",
        at("engine.jsontext:parse", ast.If, "ensure_ascii"),
        condition(False),
        "tests/daemon/test_replay.py",
    ),
    Mutation(
        3,
        "deep-nesting",
        at("engine.jsontext:parse", ast.Tuple, "RecursionError"),
        without("RecursionError"),
        f"{_COMMANDS}::test_no_rubbish_changes_the_match",
    ),
    Mutation(
        3,
        "infinite-numbers",
        at("engine.jsontext:_finite", ast.IfExp, "isfinite"),
        condition(True),
        "tests/faults/test_odd_values.py",
    ),
    Mutation(
        3,
        "a-flood-goes-first",
        at("daemon.session.inbox:Inbox.get", ast.BoolOp, "FLOOD"),
        without("FLOOD"),
        _INBOX,
    ),
    Mutation(
        3,
        "unbounded-command-bytes",
        at("daemon.session.inbox:Inbox.offer", ast.BoolOp, "COMMAND_BYTES"),
        without("COMMAND_BYTES"),
        _INBOX,
    ),
    Mutation(
        3,
        "unbounded-writes-to-a-deaf-board",
        at("daemon.links.opener:Receiver.write", ast.Compare, "UNTAKEN_BYTES"),
        constant(True),
        "tests/faults/test_deaf_board.py::test_what_a_board_does_not_take_is_bounded",
    ),
    Mutation(
        4,
        "one-try-for-a-board",
        at("daemon.links.supervisor:supervise", ast.If, "final"),
        condition(True),
        f"{_WHOLE}::test_a_board_comes_back_under_its_link",
    ),
    Mutation(
        4,
        "one-try-for-a-broker",
        at("daemon.mqtt.bus:Bus.run", ast.Expr, "RETRY_SECONDS"),
        rewritten("return"),
        f"{_WHOLE}::test_the_match_goes_on_without_the_broker",
    ),
    Mutation(
        4,
        "a-broker-that-never-answers",
        at("daemon.mqtt.client:Client._check_again", ast.Expr, "hang_up"),
        rewritten("pass"),
        "tests/faults/test_acknowledgements.py",
    ),
    Mutation(
        4,
        "states-are-not-sent-again",
        at("daemon.mqtt.outgoing:Outgoing.publish_again", ast.For, "_retained"),
        rewritten("pass"),
        f"{_COMMANDS}::test_a_broker_that_was_emptied_is_filled_again",
    ),
    Mutation(
        5,
        "the-match-is-not-retained",
        at("daemon.mqtt.outgoing:Outgoing.retain_text", ast.keyword, "retain"),
        lambda _: ast.keyword("retain", ast.Constant(False)),
        "tests/faults/test_joining.py",
    ),
    Mutation(
        5,
        "hands-are-left-behind",
        at("daemon.session.publisher:BoardPublisher.hands", ast.Expr, "clear", "hand/"),
        rewritten("pass"),
        f"{_COMMANDS}::test_hands_are_cleared_with_their_match",
    ),
    Mutation(
        5,
        "no-sweep",
        at("daemon.mqtt.bus:Bus._take", ast.If, "is_left_behind"),
        condition(False),
        f"{_COMMANDS}::test_hands_that_a_dead_daemon_left_are_cleared",
    ),
    Mutation(
        5,
        "the-log-waits-for-readers",
        at("daemon.record.committer:Committer.__init__", ast.Constant, "busy_timeout = 0"),
        words("= 0", "= 1000000"),
        "tests/daemon/test_journal.py::test_a_reader_delays_no_dart",
    ),
    Mutation(
        5,
        "unbounded-broker-memory",
        at(_SETTINGS, ast.Constant, "memory_limit"),
        words("memory_limit 100663296\n", ""),
        "tests/faults/test_subscribers.py::test_endless_subscriptions_do_not_exceed_the_memory_limit",
    ),
    Mutation(
        5,
        "frames-are-not-counted",
        at("daemon.web.mqtt_proxy:frame_size", ast.IfExp, "FRAME"),
        rewritten("0"),
        f"{_HOSTILE}::test_empty_frames_are_counted",
    ),
    Mutation(
        5,
        "control-frames-are-free",
        at("daemon.web.mqtt_proxy:_frames.read", ast.Tuple, "CONTROL"),
        rewritten("(b'', 0)"),
        f"{_HOSTILE}::test_empty_frames_are_counted",
    ),
    Mutation(
        5,
        "compressed-bodies-are-read",
        at("daemon.web.auth:guard.check", ast.If, "is_compressed"),
        condition(False),
        "tests/daemon/test_hostile_requests.py::test_a_compressed_body_is_refused_before_it_arrives",
    ),
    Mutation(
        5,
        "large-pieces-for-all",
        at("daemon.network.paced_protocol:PacedTransport.next_read", ast.Call, "min", "BODY_PIECE"),
        rewritten("BODY_PIECE"),
        f"{_PACED}::test_input_arrives_in_pieces_and_in_order",
    ),
    Mutation(
        5,
        "displays-wait-for-strangers",
        at("daemon.network.paced_protocol:PacedTransport.turns", ast.IfExp, "identified"),
        condition(False),
        f"{_PACED}::test_an_identified_client_does_not_wait_for_strangers_at_its_address",
    ),
    Mutation(
        5,
        "a-body-before-its-length",
        at("daemon.network.bodies:read_body", ast.If, "length"),
        condition(False),
        "tests/daemon/test_bodies.py::test_what_is_refused_is_refused_before_its_body",
    ),
    Mutation(
        6, "a-record-loses-an-action", _READ_ACTIONS, words("ORDER BY n", "AND n % 9 ORDER BY n"), "tests/records"
    ),
    Mutation(6, "another-order", _READ_ACTIONS, words("ORDER BY n", "ORDER BY n DESC"), "tests/records"),
    Mutation(
        6,
        "an-old-reply-is-lost",
        at("daemon.record.reader:History.replies", ast.Constant, "WHERE board IN"),
        words("board IN", "board NOT IN"),
        "tests/records",
    ),
)
