"""Small ways of breaking each promise, and the test that must fail then: the table of `scripts/mutations`.

A mutation selects code by qualified name, kind of node and what it mentions (`selectors.py`), not by its text.
"""

import ast
from dataclasses import dataclass
from typing import Final

from tests.faults.selectors import Change, Selector, condition, constant, rewritten, without, words


@dataclass(frozen=True, slots=True)
class Mutation:
    """A change of one syntax node that breaks a promise, and the test that must fail then.

    `promise` is the number that the promise has in `docs/reliability.md`.
    """

    promise: int
    name: str
    at: Selector
    change: Change
    test: str


def at(place: str, kind: type[ast.AST], *mentioned: str) -> Selector:
    """Selects the innermost node of a kind in a function that mentions all of these."""
    return Selector(place, kind, mentioned)


_CUTS: Final = "tests/faults/test_power_cuts.py::test_the_power_goes_at_any_moment"
_KILL: Final = "tests/daemon/test_sigkill.py"
_WHOLE: Final = "tests/daemon/test_whole_way.py"
_COMMANDS: Final = "tests/faults/test_commands.py"
_INBOX: Final = "tests/faults/test_inbox.py"
_MODEL: Final = "tests/faults/test_model.py::test_everything_once"
_DRIVERS: Final = "tests/drivers"
_NEWCOMERS: Final = "tests/daemon/test_newcomers.py"
_DAMAGE: Final = "tests/faults/test_damage.py"
_HOSTILE: Final = "tests/daemon/test_hostile.py"
_PACED: Final = "tests/daemon/test_paced_protocol.py"

_SYNCHRONOUS: Final = at("daemon.record.journal_file:_check_and_migrate", ast.Constant, "synchronous=FULL")
_READ_ACTIONS: Final = at("daemon.record.reader:History.actions", ast.Constant, "ORDER BY n")
_LATE: Final = "asyncio.get_running_loop().call_later(0.2, lambda written=written: asyncio.ensure_future({node}))"
_SETTINGS: Final = "daemon.mqtt.mosquitto:"

MUTATIONS: Final = (
    Mutation(1, "synchronous-off", _SYNCHRONOUS, words("FULL", "OFF"), _CUTS),
    Mutation(1, "synchronous-normal", _SYNCHRONOUS, words("FULL", "NORMAL"), _CUTS),
    Mutation(
        1,
        "publish-before-commit",
        at("daemon.session.board_record:BoardRecord.commit", ast.Await, "write"),
        lambda node: rewritten(_LATE)(node.value) if isinstance(node, ast.Await) else node,
        _KILL,
    ),
    Mutation(
        1,
        "ids-are-not-remembered",
        at("daemon.record.row_writer:RowWriter._write_entry", ast.If, "reply"),
        condition(False),
        f"{_WHOLE}::test_commands_are_answered_once_done_once",
    ),
    Mutation(
        1,
        "a-dart-does-not-wait-for-the-disk",
        at("daemon.session.board_record:BoardRecord.commit", ast.Expr, "DISK_RETRY_SECONDS"),
        rewritten("return None"),
        _MODEL,
    ),
    Mutation(
        1,
        "restore-next-to-a-running-daemon",
        at("daemon.cli.backup:restore", ast.Call, "lock"),
        rewritten("contextlib.nullcontext()"),
        "tests/daemon/test_restore.py",
    ),
    Mutation(
        2,
        "repeats-are-darts",
        at("drivers.contact_map:ContactMap._events", ast.MatchValue, "repeat"),
        lambda _: ast.MatchValue(ast.Constant("never")),
        _DRIVERS,
    ),
    Mutation(
        2,
        "a-doubt-is-not-shown",
        at("drivers.contact_map:ContactMap._doubt", ast.Tuple, "DoubtfulDart"),
        rewritten("()"),
        _DRIVERS,
    ),
    Mutation(
        2,
        "half-a-line-outlives-its-port",
        at("drivers.pipeline:Pipeline.lost", ast.Expr, "reset"),
        rewritten("pass"),
        _DRIVERS,
    ),
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
        at("daemon.record.journal:Journal._empty_log", ast.Constant, "busy_timeout = 0"),
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
        f"{_HOSTILE}::test_a_compressed_body_is_refused_before_it_arrives",
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
    Mutation(
        7,
        "everyone-may-write",
        at(_SETTINGS, ast.Constant, "topic read oche/#"),
        words("topic read oche/#", "topic readwrite oche/#"),
        "tests/daemon/test_brokers.py::test_nobody_forges_a_state",
    ),
    Mutation(
        7,
        "replies-go-anywhere",
        at("daemon.mqtt.topics:may_answer", ast.Call, "startswith", "/reply/"),
        rewritten('wanted.startswith(f"{root}/")'),
        f"{_COMMANDS}::test_replies_go_below_ours_alone",
    ),
    Mutation(
        7,
        "an-empty-user-is-the-referee",
        at("daemon.mqtt.topics:sender", ast.IfExp, "user"),
        rewritten("''.join(user) or None"),
        f"{_COMMANDS}::test_an_empty_user_is_not_the_referee",
    ),
    Mutation(
        7,
        "pages-of-others",
        at("daemon.web.auth:guard.check", ast.If, "_is_from_our_pages"),
        condition(False),
        "tests/daemon/test_brokers.py::test_the_web_server_answers_its_own_pages_alone",
    ),
    Mutation(
        7,
        "a-display-reads-the-code",
        at("daemon.people.access:_rules", ast.Tuple, "unconfirmed"),
        rewritten('(*{node}, "pairing")'),
        f"{_NEWCOMERS}::test_displays_and_players_cannot_read_a_code",
    ),
    Mutation(
        7,
        "players-take-the-referees-places",
        at("daemon.people.newcomers:no_place", ast.BoolOp, "others"),
        without("others"),
        f"{_NEWCOMERS}::test_players_cannot_take_the_referees_places",
    ),
    Mutation(
        7,
        "a-newcomer-confirms-others",
        at("daemon.web.people_api:", ast.Compare, "referee", "unconfirmed"),
        rewritten("referee.name in confirmed"),
        f"{_NEWCOMERS}::test_only_a_confirmed_referee_decides",
    ),
    Mutation(
        7,
        "guesses-are-not-slowed",
        at("daemon.web.passwords:Passwords._checked", ast.Expr, "sleep"),
        rewritten("pass"),
        "tests/daemon/test_passwords.py::test_guesses_are_slowed",
    ),
    Mutation(
        7,
        "guesses-have-no-rate",
        at("daemon.web.passwords:Passwords._checked", ast.Assign, "free_at"),
        rewritten("pass"),
        "tests/daemon/test_passwords.py::test_guesses_are_slowed",
    ),
    Mutation(
        7,
        "a-player-deals-the-deck",
        at("daemon.session.commands:allowed", ast.BinOp, "Deck"),
        without("Deck"),
        "tests/faults/test_forged.py::test_no_forged_message_passes_the_rules",
    ),
    Mutation(
        7,
        "half-forgotten",
        at("daemon.history.forgetting:_renamed", ast.Compare, "by", "user"),
        rewritten("act.get('by') == name"),
        "tests/daemon/test_forgetting.py::test_nothing_is_left_of_what_a_player_did_from_their_phone",
    ),
    Mutation(
        8,
        "a-checksum-is-not-compared",
        at("daemon.record.chain:first_bad", ast.Compare, "found", "before"),
        rewritten("not found"),
        f"{_DAMAGE}::test_damage_in_every_table_is_reported",
    ),
    Mutation(
        8,
        "no-mark-of-what-was-written",
        at("daemon.record.journal:Journal._commit", ast.Expr, "_mark"),
        rewritten("pass"),
        f"{_DAMAGE}::test_a_log_that_lost_its_end_is_reported_and_no_id_is_used_twice",
    ),
    Mutation(
        8,
        "a-damaged-file-ends-the-start",
        at("daemon.record.journal:Journal._open_or_rescue", ast.If, "damage"),
        condition(True),
        "tests/faults/test_rescue.py::test_a_start_survives_damage_to_the_structure",
    ),
    Mutation(
        8,
        "a-rescue-without-room-leaves-a-folder",
        at("daemon.record.rescue:rescue", ast.Expr, "rmtree"),
        rewritten("pass"),
        "tests/faults/test_rescue.py::test_a_rescue_without_room_leaves_everything_in_place",
    ),
    Mutation(
        8,
        "damaged-matches-are-counted",
        at("daemon.history.stored_match:last_state", ast.BoolOp, "bad"),
        without("bad"),
        "tests/faults/test_damage_shown.py::test_one_bad_row_affects_nothing_else",
    ),
)
