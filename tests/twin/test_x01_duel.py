"""With the opponent's score in view: the best answer is the optimum, and never loses to a player who does not look."""

import numpy as np
import pytest

from engine.aiming import spots
from engine.geometry import BOARD_MM
from tests.twin.x01_duels import chosen_duel, even, played_duel
from twin.bed_integrals import Floats
from twin.hand import Hand
from twin.x01_duel import answers, best_duel, visit_ends
from twin.x01_plan_solver import opponents_of
from twin.x01_policy import Odds, best_policy, odds_of

HIGHEST = 70


def odds(skill_mm: float) -> Odds:
    points = [(spot.at.x * BOARD_MM, spot.at.y * BOARD_MM) for spot in spots(skill_mm)[:82]]
    return odds_of(Hand(skill_mm, skill_mm), points, "double", False)


def ends_of(skill_mm: float, patience: float = 1.0) -> tuple[Odds, Floats]:
    all_points = odds(skill_mm)
    policy = best_policy(all_points, "double", HIGHEST, patience)
    return all_points, visit_ends(policy, odds_of(Hand(skill_mm, skill_mm), policy.points, "double", False), "double")


@pytest.mark.parametrize("skill_mm", [9, 45])
def test_a_player_of_visits_needs_as_many_as_the_policy_says(skill_mm: float) -> None:
    all_points, ends = ends_of(skill_mm)
    assert ends.sum(axis=1) == pytest.approx(1.0)
    visits = best_policy(all_points, "double", HIGHEST).visits[0, 2:]
    # The visits from each score, from the chances of its ends alone.
    assert np.linalg.solve(np.eye(HIGHEST - 1) - ends[2:, 2:], np.ones(HIGHEST - 1)) == pytest.approx(visits, rel=1e-6)


def test_of_two_equal_players_each_wins_half() -> None:
    _, ends = ends_of(12)
    duel = played_duel(ends, ends, 2)
    assert duel.throwing[2:, 2:] + duel.waiting[2:, 2:].T == pytest.approx(1.0, abs=1e-4)
    assert even(duel) == pytest.approx(0.5, abs=1e-4)
    # It is better to throw than to wait.
    assert (duel.throwing[2:, 2:] > duel.waiting[2:, 2:]).all()


@pytest.mark.parametrize("skill_mm", [9, 45])
def test_the_best_answer_is_the_optimum(skill_mm: float) -> None:
    """Compared with value iteration over every dart of low scores, which knows nothing of visits."""
    highest = 12
    all_points, ends = ends_of(skill_mm)
    theirs = ends[: highest + 1, : highest + 1]
    waiting = np.zeros((highest + 1, highest + 1))
    waiting[0, 2:] = 1.0
    for start in range(2, highest + 1):
        waiting[start] = waiting[start - 1] if start > 2 else 0.0
        for _ in range(2_000):
            later = waiting
            for _ in range(3):
                now = later.copy()
                for left in range(2, start + 1):
                    after = np.array([later[k] if k >= 2 else waiting[start] for k in range(left, -1, -1)])
                    each = all_points.scores[:, : left + 1] @ after
                    each += all_points.scores[:, left + 1 :].sum(axis=1)[:, None] * waiting[start]
                    each += all_points.finishes[:, left, None] * (1.0 - waiting[start])
                    now[left] = each.max(axis=0)
                later = now
            before, waiting[start, 2:] = waiting[start].copy(), theirs[2:, 2:] @ later[start, 2:]
            if np.abs(waiting[start] - before).max() < 1e-8:
                break
    found = best_duel(all_points, theirs, 2, highest)
    assert found.waiting[:, 2:] == pytest.approx(waiting[:, 2:], abs=1e-4)


def test_looking_at_the_opponent_wins_more() -> None:
    all_points, ends = ends_of(9)
    alone, best = played_duel(ends, ends, 2), best_duel(all_points, ends, 2, HIGHEST)
    assert (best.throwing >= alone.throwing - 1e-4).all()
    assert np.max(best.throwing - alone.throwing) > 0.002
    # A few answers and the policy for the fewest visits, one of them chosen before each visit, come close.
    policy = best_policy(all_points, "double", HIGHEST)
    hand = Hand(9, 9)
    some = [
        visit_ends(each, odds_of(hand, each.points, "double", False), "double")
        for each in answers(all_points, best, "double", opponents_of(policy, 2, HIGHEST))
    ]
    chosen, _ = chosen_duel([ends, *some], ends, 2)
    assert (chosen.throwing <= best.throwing + 1e-4).all()
    assert (chosen.throwing >= alone.throwing - 1e-4).all()
    assert np.max(best.throwing - chosen.throwing) < 0.5 * np.max(best.throwing - alone.throwing)


def test_a_player_in_a_hurry_finishes_more_often_in_this_visit() -> None:
    (_, patient), (_, hurried) = ends_of(9), ends_of(9, 0.02)
    assert (hurried[2:, 0] >= patient[2:, 0] - 1e-9).all()
    assert np.max(hurried[2:, 0] - patient[2:, 0]) > 0.002
