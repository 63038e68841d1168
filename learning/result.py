"""The results of a lesson: the text of a board file, and pictures of what is proven and inferred."""

import math
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import tomlkit

from engine.geometry import BOARD_MM, RADII_MM, centre_of
from engine.segments import CLOCKWISE, SEGMENTS, Segment
from learning.hearing import Grammar
from learning.lesson import Lesson

CELL: Final = re.compile(r"(\d|[12]\d|3[01]),(\d|[12]\d|3[01])")
"""The lines of the dialect `row-col`."""

MARKS: Final = {"proven": "#", "inferred": "+", "doubted": "?", "silent": "x", "unknown": "."}
COLOURS: Final = {
    "proven": "#2b7a4b",
    "inferred": "#8fc9a6",
    "doubted": "#e08a1e",
    "silent": "#b03a2e",
    "unknown": "#dddddd",
}


def board_file(
    lesson: Lesson,
    grammar: Grammar,
    name: str,
    *,
    keyboard: bool = False,
    baud: int | None = None,
    settle_us: int = 0,
    pace: Mapping[str, float] = MappingProxyType({}),
) -> str:
    """Returns the text of NAME.toml. `pace` has times in ms, `settle_us` is how long a column takes to rise.

    Beds that send nothing, or the code of another bed, are listed as silent.
    """
    meant: dict[str, str] = {}
    silent: list[str] = []
    for bed in lesson.beds():
        code = lesson.code_of(bed)
        if code is None or code in meant:
            silent.append(bed.text)
        else:
            meant[code] = bed.text
    meant |= {code: f"button:{button}" for button, code in lesson.buttons().items() if code not in meant}
    dialect, table = _dialect(list(meant), grammar, keyboard)
    lines = [
        f"# Learnt by pressing: {_counted(lesson)}.",
        f"name = {_quoted(name)}",
        f"title = {_quoted(f'Board learnt as {name}')}",
        f"dialect = {_quoted(dialect)}",
        'source = "oche learn"',
    ]
    lines += [f"baud = {baud}"] if baud else []
    lines += [f"settle_us = {settle_us}"] if settle_us else []
    lines += [f"silent = [{', '.join(map(_quoted, silent))}]"] if silent else []
    if table == "contacts":
        beds = {code: meaning for code, meaning in meant.items() if not meaning.startswith("button:")}
        lines += ['grid = """', *_grid(beds), '"""'] if beds else []
        meant = {code: meaning for code, meaning in meant.items() if code not in beds}
    if meant:
        lines += ["", f"[{table}]", *(f"{_quoted(code)} = {_quoted(meaning)}" for code, meaning in meant.items())]
    if grammar.repeat_ms:
        period = grammar.repeat_ms
        lines += ["", "[pace]", f"repeat_ms = {period}", f"button_ms = {period}", f"deaf_ms = {period}"]
        lines += ["rebound_ms = 0.0"] if dialect.startswith("any-") else []
    elif pace:
        lines += ["", "[pace]", *(f"{name} = {ms}" for name, ms in pace.items())]
    return "\n".join(lines) + "\n"


def picture(lesson: Lesson) -> str:
    """Returns the board as text: a line for each number, a mark for each bed."""
    rings = ("S", "T", "D") if lesson.joined else ("SI", "T", "SO", "D")
    lines = ["     " + "  ".join(f"{ring:<2}" for ring in rings)]
    for number in CLOCKWISE:
        marks = (MARKS[lesson.state_of(SEGMENTS[f"{ring}{number}"])] for ring in rings)
        lines.append(f"{number:>3}  " + "   ".join(marks))
    bulls = "  ".join(f"{name} {MARKS[lesson.state_of(SEGMENTS[name])]}" for name in ("SB", "DB"))
    legend = "  ".join(f"{mark} {state}" for state, mark in MARKS.items())
    return "\n".join([*lines, f"     {bulls}", legend])


def svg(lesson: Lesson) -> str:
    """Returns the board as SVG, each bed in the colour of its state, with its code as title."""
    radii = [radius / BOARD_MM for radius in RADII_MM]
    shapes: list[str] = []
    # Drawn from the outside inwards, so that no ring needs a hole.
    for ring, outer in (("D", radii[5]), ("SO", radii[4]), ("T", radii[3]), ("SI", radii[2])):
        for number in CLOCKWISE:
            shown = SEGMENTS[f"{ring}{number}"]
            known = SEGMENTS[f"S{number}"] if lesson.joined and ring in ("SO", "SI") else shown
            shapes.append(f'<path d="{_wedge(number, outer)}" {_look(lesson, known)}')
    for name, outer in (("SB", radii[1]), ("DB", radii[0])):
        shapes.append(f'<circle r="{outer:.4f}" {_look(lesson, SEGMENTS[name], "circle")}')
    for number in CLOCKWISE:
        at = centre_of(SEGMENTS[f"D{number}"])
        scale = 1.1 / (at.x**2 + at.y**2) ** 0.5
        shapes.append(f'<text x="{at.x * scale:.4f}" y="{-at.y * scale + 0.035:.4f}">{number}</text>')
    for n, (state, colour) in enumerate(COLOURS.items()):
        shapes.append(f'<rect x="{-1.2 + 0.5 * n:.2f}" y="1.25" width="0.08" height="0.08" fill="{colour}"/>')
        shapes.append(f'<text x="{-1.1 + 0.5 * n:.2f}" y="1.32" style="text-anchor:start">{state}</text>')
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1.25 -1.25 2.5 2.65">'
        "<style>path,circle{stroke:#222;stroke-width:.006}text{font:.1px sans-serif;text-anchor:middle}</style>"
        + "".join(shapes)
        + "</svg>\n"
    )


def findings(lesson: Lesson, noise: list[str], ghosts: dict[str, set[str]]) -> list[str]:
    """Returns a message for each fault of the board."""
    found = [f"{', '.join(beds)} send the same: {code!r}." for code, beds in lesson.duplicates().items()]
    wiring = lesson.wiring()
    if wiring is not None:
        for what in sorted({part for place in wiring.mute for part in place if wiring.is_dead(part)}, key=str):
            beds = [bed.text for bed in lesson.beds() if not bed.is_bull and wiring.covers(bed)
                    and what in wiring.place(bed)]  # fmt: skip
            found.append(f"A line is dead: {', '.join(beds)} send nothing.")
        found += _swapped([wiring.groups[group] for group in sorted(wiring.groups)])
    else:
        mute = [bed.text for bed in lesson.beds() if lesson.state_of(bed) == "silent"]
        found += [f"Silent: {', '.join(mute)}."] if mute else []
    found += [f"{code!r} came while nobody pressed anything; it is left out." for code in noise]
    found += [f"With {code!r} came {', '.join(map(repr, sorted(others)))}: a ghost, or two contacts."
              for code, others in ghosts.items()]  # fmt: skip
    return found


def _swapped(lines: list[int]) -> list[str]:
    """Returns a message if two lines are swapped against the order of all others."""
    for order in (sorted(lines), sorted(lines, reverse=True)):
        off = [(is_, should) for is_, should in zip(lines, order, strict=True) if is_ != should]
        if len(off) == 2 and len(lines) > 3:
            return [f"Lines {off[0][0]} and {off[1][0]} are swapped against the order of the others; both are read."]
    return []


def _dialect(codes: list[str], grammar: Grammar, keyboard: bool) -> tuple[str, str]:
    if keyboard:
        return "keyboard", "keys"
    if grammar.dialect:
        return grammar.dialect, "contacts"
    if grammar.byte:
        plain = not grammar.repeat_ms and not {"\r", "\n"} & set(codes)
        return ("single-char" if plain else "any-byte"), "keys"
    return ("row-col", "contacts") if all(CELL.fullmatch(code) for code in codes) else ("any-line", "lines")


def _grid(beds: dict[str, str]) -> list[str]:
    """Returns the beds by row and column; `.` is a crossing without one."""
    cells: dict[tuple[int, ...], str] = {tuple(map(int, code.split(","))): bed for code, bed in beds.items()}
    cols = range(max(col for _, col in cells) + 1)
    rows = range(max(row for row, _ in cells) + 1)
    table = [("", *map(str, cols)), *((str(row), *(cells.get((row, col), ".") for col in cols)) for row in rows)]
    return [" ".join(f"{cell:>4}" for cell in line) for line in table]


def _counted(lesson: Lesson) -> str:
    states = [lesson.state_of(bed) for bed in lesson.beds()]
    return ", ".join(f"{states.count(state)} {state}" for state in MARKS if state in states)


def _quoted(text: str) -> str:
    return tomlkit.string(text).as_string()


def _look(lesson: Lesson, bed: Segment, tag: str = "path") -> str:
    state = lesson.state_of(bed)
    code = (lesson.code_of(bed) or "nothing").encode("ascii", "backslashreplace").decode()
    code = "".join(f"\\x{ord(c):02x}" if ord(c) < 32 else c for c in code)
    code = code.replace("&", "&amp;").replace("<", "&lt;")
    return f'data-bed="{bed.text}" fill="{COLOURS[state]}"><title>{bed.text}: {state}, {code}</title></{tag}>'


def _wedge(number: int, outer: float) -> str:
    middle = CLOCKWISE.index(number) * math.pi / 10
    (ax, ay), (bx, by) = (
        (outer * math.sin(angle), -outer * math.cos(angle)) for angle in (middle - math.pi / 20, middle + math.pi / 20)
    )
    return f"M0 0L{ax:.4f} {ay:.4f}A{outer:.4f} {outer:.4f} 0 0 1 {bx:.4f} {by:.4f}Z"
