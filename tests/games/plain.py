"""Second scorers, written independently of the engine and differently: one mutable object per match.

A word is a segment's text, `foul`, `bounce`, `next`, `roll 7 16 10` or `wild 20`.
`say` answers whether the word had its place.
"""

from collections.abc import Sequence
from typing import Any

BEDS = {"SB": (25, 1), "DB": (25, 2), "MISS": (0, 0)}
for n in range(1, 21):
    BEDS |= {f"S{n}": (n, 1), f"SI{n}": (n, 1), f"SO{n}": (n, 1), f"D{n}": (n, 2), f"T{n}": (n, 3)}


class PlainX01:
    def __init__(self, names: Sequence[str], options: dict[str, Any]) -> None:
        self.o: dict[str, Any] = {
            "start": 501,
            "in": "open",
            "out": "double",
            "bull": "split",
            "legs": 1,
            "sets": 1,
            "handicap": {},
        }
        self.o |= options
        self.names = list(names)
        self.legs = dict.fromkeys(names, 0)
        self.sets = dict.fromkeys(names, 0)
        self.kept = dict.fromkeys(names, 0)
        self.thrown = dict.fromkeys(names, 0)
        self.legs_played = 0
        self.over = False
        self.begin_leg()

    def begin_leg(self) -> None:
        self.left = {name: self.o["handicap"].get(name, self.o["start"]) for name in self.names}
        self.opened = dict.fromkeys(self.names, self.o["in"] == "open")
        self.begin_visit(self.names[self.legs_played % len(self.names)])

    def begin_visit(self, name: str) -> None:
        self.name = name
        self.was = (self.left[name], self.opened[name], self.kept[name])
        self.visit: list[str] = []
        self.closed = False
        self.won = False

    def good(self, rule: str, multiplier: int) -> bool:
        return {"open": multiplier > 0, "double": multiplier == 2, "master": multiplier >= 2}[rule]

    def say(self, word: str) -> bool:
        if self.over:
            return False
        if word == "next":
            if not self.won:
                self.begin_visit(self.names[(self.names.index(self.name) + 1) % len(self.names)])
            elif self.sets[self.name] == self.o["sets"]:
                self.over = True
            else:
                if self.legs[self.name] == self.o["legs"]:
                    self.legs = dict.fromkeys(self.names, 0)
                self.legs_played += 1
                self.begin_leg()
            return True
        if self.closed or (word not in BEDS and word not in ("foul", "bounce")):
            return False
        if word != "bounce":
            self.dart(word)
        return True

    def dart(self, word: str) -> None:
        name = self.name
        number, multiplier = BEDS.get(word, (0, 0))
        points = 50 if word == "SB" and self.o["bull"] == "full" else number * multiplier
        self.thrown[name] += 1
        self.visit.append(word)
        self.opened[name] = self.opened[name] or self.good(self.o["in"], multiplier)
        if self.opened[name]:
            self.left[name] -= points
            self.kept[name] += points
        left = self.left[name]
        finishes = left == 0 and self.good(self.o["out"], multiplier)
        if left < 0 or (left == 1 and self.o["out"] != "open") or (left == 0 and not finishes):
            self.left[name], self.opened[name], self.kept[name] = self.was
            self.closed = True
        elif left == 0:
            self.won = self.closed = True
            self.legs[name] += 1
            self.sets[name] += self.legs[name] == self.o["legs"]
        elif len(self.visit) == 3:
            self.closed = True

    def table(self) -> list[tuple[object, ...]]:
        return [(n, self.left[n], self.legs[n], self.sets[n], self.thrown[n], self.kept[n]) for n in self.names]


class PlainCerberus:
    def __init__(self, names: Sequence[str], options: dict[str, Any]) -> None:
        self.house = options.get("cerberus_points", 4 if len(names) == 1 else None)
        self.margin = options.get("margin", 25)
        self.names = [*names, *(["Cerberus"] if self.house is not None else [])]
        self.total = dict.fromkeys(self.names, 0)
        self.out: dict[str, int] = {}
        self.round = 1
        self.waiting = list(names)
        self.over = False
        self.begin_turn()

    def begin_turn(self) -> None:
        self.name = self.waiting.pop(0)
        self.dice: list[int] = []
        self.words: list[str] = []
        self.wild: int | None = None

    def say(self, word: str) -> bool:
        verb, *rest = word.split()
        if self.over:
            return False
        if verb == "roll":
            good = not self.dice and len(rest) == 3 and all(1 <= int(die) <= 20 for die in rest)
            self.dice = [int(die) for die in rest] if good else self.dice
            return good
        if verb == "wild":
            good = len(set(self.dice)) == 1 and len(self.words) == 3 and 1 <= int(rest[0]) <= 20
            good = good and int(rest[0]) not in self.dice
            self.wild = int(rest[0]) if good else self.wild
            return good
        if not self.dice:
            return False
        if verb == "next":
            points = self.points()
            self.total[self.name] = max(0, self.total[self.name] + (points or -3))
            if not self.waiting:
                self.end_round()
            if not self.over:
                self.begin_turn()
            return True
        if len(self.words) == 3:
            return False
        if verb != "bounce":
            self.words.append(verb)
        return True

    def pays(self, goals: set[int]) -> int:
        marks, hit = 0, set()
        for word in self.words:
            number, multiplier = BEDS.get(word, (0, 0))
            if number in goals:
                hit.add(number)
                marks += {"SB": 3, "DB": 4}.get(word, multiplier)
        return marks * [0, 1, 3, 5][len(hit)]

    def points(self) -> int:
        goals = set(self.dice)
        if len(goals) == 3:
            return self.pays(goals)
        goals.add(25)
        if len(goals) == 3:
            return self.pays(goals)
        return self.pays(goals | {self.wild}) if self.wild else max(self.pays(goals | {n}) for n in range(1, 21))

    def end_round(self) -> None:
        if self.house is not None and "Cerberus" not in self.out:
            self.total["Cerberus"] += self.house
        staying = [name for name in self.names if name not in self.out]
        top = max(self.total[name] for name in staying)
        for name in staying:
            if self.total[name] <= top - self.margin:
                self.out[name] = self.round
        staying = [name for name in self.names if name not in self.out]
        self.over = len(staying) == 1
        self.round += not self.over
        self.waiting = [name for name in staying if name != "Cerberus"]

    def place(self, name: str) -> int | None:
        """The place of a player who is out or has won: 1 + the number of better players; else None."""
        if name not in self.out:
            return 1 if self.over else None

        def result(other: str) -> tuple[int, int]:
            return self.out.get(other, 1 << 30), self.total[other]

        return 1 + sum(result(other) > result(name) for other in self.names)

    def table(self) -> list[tuple[object, ...]]:
        going = {self.name: self.points()} if self.dice and not self.over else {}
        return [(n, self.total[n] + going.get(n, 0), self.out.get(n), self.place(n)) for n in self.names]


class PlainCricket:
    def __init__(self, names: Sequence[str], options: dict[str, Any]) -> None:
        self.mode = options.get("mode", "standard")
        self.numbers = [25 if n == "bull" else n for n in options.get("numbers", [20, 19, 18, 17, 16, 15, 25])]
        self.rounds = options.get("rounds", 20)
        self.names = list(names)
        self.marks = {name: dict.fromkeys(self.numbers, 0) for name in names}
        self.score = dict.fromkeys(names, 0)
        self.counted = dict.fromkeys(names, 0)
        self.turns = dict.fromkeys(names, 0)
        self.turn = 0
        self.words: list[str] = []
        self.won: list[str] = []
        self.over = False

    @property
    def name(self) -> str:
        return self.names[self.turn % len(self.names)]

    def say(self, word: str) -> bool:
        if self.over or (word not in BEDS and word not in ("next", "foul", "bounce")):
            return False
        if word == "next":
            self.turns[self.name] += not self.words
            if not self.won and self.rounds and self.turn + 1 == self.rounds * len(self.names):
                ranks = {name: (self.worth(name), self.counted[name]) for name in self.names}
                self.won = [name for name in self.names if ranks[name] == max(ranks.values())]
            if self.won:
                self.over = True
            else:
                self.turn += 1
                self.words = []
            return True
        if self.won or len(self.words) == 3:
            return False
        if word != "bounce":
            self.turns[self.name] += not self.words
            self.words.append(word)
            number, multiplier = BEDS.get(word, (0, 0))
            for _ in range(multiplier if number in self.numbers else 0):
                self.mark(number)
            at = self.names.index(self.name)
            order = self.names[at:] + self.names[:at]
            top = max(map(self.worth, self.names))
            done = [n for n in order if min(self.marks[n].values()) == 3 and self.worth(n) == top]
            self.won = done[:1]
        return True

    def worth(self, name: str) -> int:
        return -self.score[name] if self.mode == "cut-throat" else self.score[name]

    def mark(self, number: int) -> None:
        """One mark at a time."""
        others = [n for n in self.names if n != self.name and self.marks[n][number] < 3]
        if self.marks[self.name][number] < 3:
            self.marks[self.name][number] += 1
            self.counted[self.name] += 1
        elif others and self.mode != "no-score":
            self.counted[self.name] += 1
            for name in others if self.mode == "cut-throat" else [self.name]:
                self.score[name] += number

    def table(self) -> list[tuple[object, ...]]:
        return [(n, self.score[n], list(self.marks[n].values()), self.counted[n], self.turns[n]) for n in self.names]
