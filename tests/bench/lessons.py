"""How many beds `oche learn` asks for: whole lessons on boards drawn at random."""

from statistics import median

from tests.bench.figures import Figure
from tests.learning.learnt import learn


def lessons(count: int) -> list[Figure]:
    """The figures over `count` boards; presses in percent of the beds."""
    results = [learn(seed) for seed in range(count)]
    beds = sum(r.beds for r in results)
    return [
        Figure("boards learnt without a wrong bed", 100 * sum(not r.wrong for r in results) / count, "%", 100, True),
        Figure("beds left in doubt by a lesson", 100 * sum(r.doubted for r in results) / beds, "%", 1),
        Figure(
            "presses of a lesson, regular wiring, median",
            100 * median(r.presses / r.beds for r in results if r.regular),
            "% of beds",
            50,
        ),
    ]
