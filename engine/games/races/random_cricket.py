"""Random Cricket: Cricket on six drawn numbers and the bull."""

from typing import Final

from engine import kit
from engine.games.races import _cricket
from engine.games.races._cricket import Options, Own, S
from engine.kit import About, Kit, Show, Text


def show(state: S, viewer: str | None) -> Show:
    own = state.own
    match = {"numbers": _cricket.named(own.numbers), "mode": state.options.mode}
    return Show(match, {"marks": own.marked}, _cricket.players(state, own.numbers))


GAME: Final[Kit[Options, Own]] = Kit(
    name="random_cricket",
    title="Random Cricket",
    about=About(
        "B",
        Text(
            "Cricket on six drawn numbers and the bull.",
            "Cricket auf sechs gezogenen Zahlen und dem Bull.",
            "Cricket sur six numéros tirés au sort et le bull.",
        ),
        aim=_cricket.AIM,
        turn=Text(
            "The numbers are drawn. A single is one mark, a double two, a triple three. Three marks close a number; "
            "further marks score until the others have closed it too.",
            "Die Zahlen werden gezogen. Ein Single ist ein Treffer, ein Double zwei, ein Triple drei. Drei schließen "
            "eine Zahl; weitere punkten, bis die anderen sie auch geschlossen haben.",
            "Les numéros sont tirés au sort. Un simple vaut une marque, un double deux, un triple trois. Trois ferment "
            "un numéro ; les suivantes marquent tant que les autres ne l’ont pas fermé.",
        ),
        end=_cricket.END,
    ),
    seats=range(1, 17),
    rules=Options,
    own=Own,
    begin=_cricket.begin,
    points_to_begin=1000,
    refuses_head_start=_cricket.refuses_points,
    chance=lambda state: None if state.own.drawn else kit.NUMBER_DECK,
    drawn=_cricket.dealt,
    dart=_cricket.dart,
    rank=_cricket.rank,
    targets=_cricket.targets,
    show=show,
    worth=_cricket.worth,
    matters=_cricket.matters,
    statistics_of=_cricket.STATISTICS,
    earlier=_cricket.with_earlier,
    counted_of=_cricket.counted,
)
