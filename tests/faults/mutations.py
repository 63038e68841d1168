"""Small ways of breaking each promise, and the test that notices: `scripts/mutations [WORD...]`.

Each is applied alone to a copy of the tree; the named test must fail there. One that survives is a
promise without a proof, and the exit code says so.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent.parent
LIMIT_SECONDS: Final = 400


@dataclass(frozen=True, slots=True)
class Mutation:
    """A text in a file that is replaced, and the test that must fail then. `promise` is its number."""

    promise: int
    name: str
    file: str
    old: str
    new: str
    test: str


_CUTS: Final = "tests/faults/test_power_cuts.py::test_the_power_goes_at_any_moment"
_KILL: Final = "tests/daemon/test_sigkill.py"
_WAY: Final = "tests/daemon/test_whole_way.py"
_COMMANDS: Final = "tests/faults/test_commands.py"
_MODEL: Final = "tests/faults/test_model.py::test_everything_once"
_READING: Final = "tests/drivers"

MUTATIONS: Final = (
    Mutation(
        1,
        "synchronous-off",
        "daemon/record/journal_file.py",
        "PRAGMA synchronous=FULL",
        "PRAGMA synchronous=OFF",
        _CUTS,
    ),
    Mutation(
        1,
        "synchronous-normal",
        "daemon/record/journal_file.py",
        "PRAGMA synchronous=FULL",
        "PRAGMA synchronous=NORMAL",
        _CUTS,
    ),
    Mutation(
        1,
        "publish-before-commit",
        "daemon/session/board_session.py",
        "        await self._keep(replace(entry, board=row, hit=jsontext.dump(hit.to_json())), patient=True)\n",
        "        entry = replace(entry, board=row, hit=jsontext.dump(hit.to_json()))\n"
        "        self._row = row\n"
        "        late = self._keep(entry, patient=True)\n"
        "        asyncio.get_running_loop().call_later(0.2, asyncio.ensure_future, late)\n",
        _KILL,
    ),
    Mutation(
        1,
        "ids-not-remembered",
        "daemon/record/row_writer.py",
        "        if entry.reply is not None:\n",
        "        if entry.reply is not None and entry.board.seq < 0:\n",
        f"{_WAY}::test_commands_are_answered_once_done_once",
    ),
    Mutation(
        1,
        "a-dart-does-not-wait-for-the-disk",
        "daemon/session/board_session.py",
        "                await asyncio.sleep(DISK_RETRY_SECONDS)\n",
        "                return None\n",
        _MODEL,
    ),
    Mutation(
        2,
        "repeats-are-darts",
        "drivers/contact_map.py",
        '            case "repeat":\n',
        '            case "never":\n',
        _READING,
    ),
    Mutation(
        2,
        "a-doubt-is-not-shown",
        "drivers/contact_map.py",
        "        return (Doubtful(meaning, at_ns),)\n",
        "        return ()\n",
        _READING,
    ),
    Mutation(
        2, "half-a-line-outlives-its-port", "drivers/pipeline.py", "        self._decoder.reset()\n", "", _READING
    ),
    Mutation(
        3,
        "no-bound-of-json",
        "engine/jsontext.py",
        "    if len(text) > MAX_BYTES:\n",
        "    if len(text) < 0:\n",
        _COMMANDS,
    ),
    Mutation(
        3,
        "half-characters",
        "engine/jsontext.py",
        '        if b"\\\\u" in text:\n',
        "        if False:\n",
        "tests/daemon/test_replay.py",
    ),
    Mutation(
        3,
        "deep-nesting",
        "engine/jsontext.py",
        "    except (ValueError, RecursionError):\n",
        "    except ValueError:\n",
        f"{_COMMANDS}::test_no_rubbish_changes_the_match",
    ),
    Mutation(
        3,
        "a-flood-goes-first",
        "daemon/session/inbox.py",
        "len(self._commands) > FLOOD",
        "len(self._commands) < 0",
        "tests/faults/test_inbox.py",
    ),
    Mutation(
        3, "no-bound-of-bytes", "daemon/session/inbox.py", "> COMMAND_BYTES", "> 10**12", "tests/faults/test_inbox.py"
    ),
    Mutation(
        3,
        "a-board-that-does-not-read-is-kept-for",
        "daemon/links/opener.py",
        "waiting + len(data) <= UNTAKEN_BYTES",
        "True",
        "tests/faults/test_deaf_board.py::test_what_a_board_does_not_take_is_bounded",
    ),
    Mutation(
        4,
        "one-try-for-a-board",
        "daemon/links/supervisor.py",
        "        if gone.final:\n",
        "        if True:\n",
        f"{_WAY}::test_a_board_comes_back_under_its_link",
    ),
    Mutation(
        4,
        "one-try-for-a-broker",
        "daemon/mqtt/bus.py",
        "            await asyncio.sleep(RETRY_SECONDS)\n",
        "            return\n",
        f"{_WAY}::test_the_match_goes_on_without_the_broker",
    ),
    Mutation(
        4,
        "a-broker-that-never-answers",
        "daemon/mqtt/bus.py",
        "            client.hang_up()\n",
        "",
        "tests/faults/test_acknowledgements.py",
    ),
    Mutation(
        4,
        "states-are-not-sent-again",
        "daemon/mqtt/bus.py",
        "        for topic, text in self._retained.items():\n            self._publish",
        "        for topic, text in ():\n            self._publish",
        f"{_COMMANDS}::test_a_broker_that_was_emptied_is_filled_again",
    ),
    Mutation(
        5,
        "the-match-is-not-retained",
        "daemon/mqtt/bus.py",
        "        self._publish(topic, text, retain=True)\n\n    def clear",
        "        self._publish(topic, text, retain=False)\n\n    def clear",
        "tests/faults/test_joining.py",
    ),
    Mutation(
        5,
        "hands-are-left-behind",
        "daemon/session/publisher.py",
        '            self._bus.clear(self.topic(f"hand/{name}"))\n',
        "            pass\n",
        f"{_COMMANDS}::test_hands_are_cleared_with_their_match",
    ),
    Mutation(
        5,
        "no-sweep",
        "daemon/mqtt/bus.py",
        "elif message.retain and payload and ",
        "elif False and payload and ",
        f"{_COMMANDS}::test_hands_that_a_dead_daemon_left_are_cleared",
    ),
    Mutation(
        6,
        "a-record-loses-an-action",
        "daemon/record/reader.py",
        "AND n > ? ORDER BY n",
        "AND n > ? AND n % 9 ORDER BY n",
        "tests/records",
    ),
    Mutation(
        6,
        "another-order",
        "daemon/record/reader.py",
        "AND n > ? ORDER BY n",
        "AND n > ? ORDER BY n DESC",
        "tests/records",
    ),
    Mutation(
        6,
        "an-old-reply-is-lost",
        "daemon/record/reader.py",
        "FROM command WHERE board = ?",
        "FROM command WHERE board < ?",
        "tests/records",
    ),
    Mutation(
        7,
        "everyone-may-write",
        "daemon/mqtt/mosquitto.py",
        "topic read oche/#\n",
        "topic readwrite oche/#\n",
        "tests/daemon/test_brokers.py::test_nobody_forges_a_state",
    ),
    Mutation(
        7,
        "replies-go-anywhere",
        "daemon/mqtt/topics.py",
        'wanted.startswith(f"{root}/reply/")',
        'wanted.startswith(f"{root}/")',
        f"{_COMMANDS}::test_replies_go_below_ours_alone",
    ),
    Mutation(
        7,
        "an-empty-user-is-referee",
        "daemon/mqtt/topics.py",
        "    return user[0] if user else None\n",
        '    return "".join(user) or None\n',
        f"{_COMMANDS}::test_an_empty_user_is_not_the_referee",
    ),
    Mutation(
        7,
        "pages-of-others",
        "daemon/web/auth.py",
        "        if not _is_from_our_pages(request):\n",
        "        if False:\n",
        "tests/daemon/test_brokers.py::test_the_web_server_answers_its_own_pages_alone",
    ),
    Mutation(
        1,
        "restore-beside-a-daemon",
        "daemon/cli/backup.py",
        "        with lock(data):\n",
        "        with contextlib.nullcontext():\n",
        "tests/daemon/test_restore.py",
    ),
    Mutation(
        3,
        "infinite-numbers",
        "engine/jsontext.py",
        "    return value if math.isfinite(value) else _refuse(number)\n",
        "    return value\n",
        "tests/faults/test_odd_values.py",
    ),
    Mutation(
        5,
        "forgetting-waits-for-readers",
        "daemon/record/journal.py",
        '"PRAGMA busy_timeout = 0"',
        '"PRAGMA busy_timeout = 1000000"',
        "tests/daemon/test_journal.py::test_a_reader_delays_no_dart",
    ),
    Mutation(
        5,
        "broker-without-bound",
        "daemon/mqtt/mosquitto.py",
        "memory_limit 100663296\n",
        "",
        "tests/faults/test_subscribers.py::test_who_subscribes_without_end_finds_an_end",
    ),
    Mutation(
        7,
        "a-display-reads-the-code",
        "daemon/people/access.py",
        'looks = [f"read {root}/status", f"read {root}/unconfirmed"]',
        'looks = [f"read {root}/status", f"read {root}/unconfirmed", f"read {root}/pairing"]',
        "tests/daemon/test_newcomers.py::test_whoever_may_look_or_play_learns_no_code",
    ),
    Mutation(
        7,
        "players-take-the-referees-places",
        "daemon/people/newcomers.py",
        "full = others >= MOST_USERS - FOR_REFEREES or",
        "full =",
        "tests/daemon/test_newcomers.py::test_players_leave_the_referees_places",
    ),
    Mutation(
        7,
        "a-newcomer-confirms-others",
        "daemon/web/newcomers_api.py",
        "and asker.unconfirmed is not None",
        "and asker.name in confirmed",
        "tests/daemon/test_newcomers.py::test_only_a_referee_who_is_confirmed_decides",
    ),
    Mutation(
        7,
        "a-player-deals-the-deck",
        "daemon/session/commands.py",
        "Start | Stop | Undo | Deck)",
        "Start | Stop | Undo)",
        "tests/faults/test_forged.py::test_no_forged_message_passes_the_rules",
    ),
    Mutation(
        7,
        "forgotten-by-half",
        "daemon/history/archive.py",
        'if act.get("by") == user else act',
        'if act.get("by") == name else act',
        "tests/daemon/test_forgetting.py::test_nothing_is_left_of_what_a_player_did_from_their_phone",
    ),
    Mutation(
        8,
        "a-checksum-is-not-compared",
        "daemon/record/chain.py",
        "            if found != before:\n",
        "            if not found:\n",
        "tests/faults/test_damage.py::test_damage_in_every_table_is_reported",
    ),
    Mutation(
        8,
        "no-mark-of-what-was-written",
        "daemon/record/journal.py",
        "                self._mark.write(self._rows.extent())\n",
        "                self._rows.extent()\n",
        "tests/faults/test_damage.py::test_a_log_that_lost_its_end_is_reported_and_no_id_is_used_twice",
    ),
    Mutation(
        8,
        "damaged-matches-are-counted",
        "daemon/history/archive.py",
        "        if record is None or record.bad is not None:\n            return {}\n",
        "        if record is None:\n            return {}\n",
        "tests/faults/test_damage.py::test_one_bad_row_affects_nothing_else",
    ),
)


def applied(mutation: Mutation, folder: Path) -> bool:
    """False where the text is no longer there just once."""
    file = folder / mutation.file
    text = file.read_text()
    if text.count(mutation.old) != 1:
        return False
    file.write_text(text.replace(mutation.old, mutation.new))
    return True


def copied(tree: Path, folder: Path) -> None:
    """The tree without what is made of it; the Python environment is shared."""
    leave_out = shutil.ignore_patterns(".git", ".venv", "node_modules", "build", "__pycache__", ".*_cache")
    shutil.copytree(tree, folder, ignore=leave_out, symlinks=True)
    (folder / ".venv").symlink_to((ROOT / ".venv").resolve())


def verdict(mutation: Mutation, tree: Path) -> str:
    """`caught`, `hangs`, which is noticed too, `survived` or `outdated`."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "oche"
        copied(tree, folder)
        if not applied(mutation, folder):
            return "outdated"
        command = [str(ROOT / ".venv/bin/pytest"), "-q", "-x", "-p", "no:cacheprovider", mutation.test]
        environment, quiet = os.environ | {"PYTHONPATH": str(folder)}, subprocess.DEVNULL
        try:
            # In a session of its own: what a broken test has left running ends with it.
            running = subprocess.Popen(
                command, cwd=folder, env=environment, stdout=quiet, stderr=quiet, start_new_session=True
            )
            code = running.wait(LIMIT_SECONDS)
        except subprocess.TimeoutExpired:
            return "hangs"
        finally:
            with suppress(ProcessLookupError):
                os.killpg(running.pid, signal.SIGKILL)
        return {0: "survived", 1: "caught"}.get(code, f"no test ran ({code})")


def main(words: list[str]) -> int:
    wrong = 0
    with tempfile.TemporaryDirectory() as name:
        # As it is now: what is edited while this runs must make no test fail.
        tree = Path(name) / "oche"
        copied(ROOT, tree)
        for mutation in MUTATIONS:
            if words and not any(word in mutation.name for word in words):
                continue
            said = verdict(mutation, tree)
            wrong += said not in ("caught", "hangs")
            print(f"{mutation.promise}  {mutation.name:<36} {said:<10} {mutation.test}", flush=True)
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
