"""The pitch and the rule cards of Cerberus."""

from typing import Final

from engine.about import About
from engine.texts import Text

ABOUT: Final = About(
    "A",
    Text(
        "Three dice, three targets, and a dog behind you.",
        "Drei Würfel, drei Ziele und ein Hund hinter dir.",
        "Trois dés, trois cibles, et un chien derrière vous.",
    ),
    aim=Text(
        "Do not fall 25 points behind the leader, and be the last one in.",
        "Fall nicht 25 Punkte hinter den Ersten zurück und bleib als Letzter übrig.",
        "Ne soyez pas mené de 25 points, et restez le dernier.",
    ),
    turn=Text(
        "The dice name three targets. Singles are 1 mark, doubles 2, triples 3, bulls 3 and 4. Two targets hit "
        "multiply by three, all three by five. No mark costs 3 points.",
        "Die Würfel nennen drei Ziele. Single 1, Double 2, Triple 3, Bull 3 und 4. Zwei getroffene Ziele "
        "zählen dreifach, alle drei fünffach. Kein Treffer kostet 3 Punkte.",
        "Les dés donnent trois cibles. Simple 1, double 2, triple 3, bulls 3 et 4. Deux cibles touchées "
        "multiplient par trois, les trois par cinq. Aucune coûte 3 points.",
    ),
    end=Text(
        "After each round a player who is too far behind is out. The last one in wins; Cerberus himself can win too.",
        "Nach jeder Runde scheidet aus, wer zu weit zurückliegt. Wer übrig bleibt, gewinnt; auch Cerberus "
        "selbst kann gewinnen.",
        "Après chaque tour, qui est trop loin est éliminé. Le dernier gagne ; Cerbère lui-même peut gagner.",
    ),
)
