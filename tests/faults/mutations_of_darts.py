"""Ways of breaking promises 1 and 2: no dart that was shown is lost, and one dart is one hit."""

import ast
from typing import Final

from tests.faults.mutation import Mutation, at
from tests.faults.selectors import condition, rewritten, words

_CUTS: Final = "tests/faults/test_power_cuts.py::test_the_power_goes_at_any_moment"
_KILL: Final = "tests/daemon/test_sigkill.py"
_WHOLE: Final = "tests/daemon/test_whole_way.py"
_MODEL: Final = "tests/faults/test_model.py::test_everything_once"
_DRIVERS: Final = "tests/drivers"
_SYNCHRONOUS: Final = at("daemon.record.journal_file:_check_and_migrate", ast.Constant, "synchronous=FULL")
_LATE: Final = "asyncio.get_running_loop().call_later(0.2, lambda written=written: asyncio.ensure_future({node}))"

DARTS: Final = (
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
)
