"""Ways of breaking promises 7 and 8: who gets in, and damage that is never silent."""

import ast
from typing import Final

from tests.faults.mutation import Mutation, at
from tests.faults.selectors import condition, rewritten, without, words

_COMMANDS: Final = "tests/faults/test_commands.py"
_NEWCOMERS: Final = "tests/daemon/test_newcomers.py"
_DAMAGE: Final = "tests/faults/test_damage.py"
_SETTINGS: Final = "daemon.mqtt.mosquitto:"

ACCESS: Final = (
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
        at("daemon.record.committer:Committer.commit", ast.Expr, "_mark"),
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
