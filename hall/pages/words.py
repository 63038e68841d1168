"""The words of the hall's pages in the three languages. `{names}` are filled in."""

from typing import Final

from engine.texts import Text

WORDS: Final[dict[str, Text]] = {
    "boards": Text("Boards", "Boards", "Cibles"),
    "matches": Text("Matches", "Spiele", "Parties"),
    "ladder": Text("Ladder", "Rangliste", "Classement"),
    "wall": Text("Wall", "Großbildschirm", "Grand écran"),
    "skip": Text("To the content", "Zum Inhalt", "Aller au contenu"),
    "boards.none": Text(
        "Nobody plays at the moment. A board is here as soon as a match begins on it.",
        "Im Moment spielt niemand. Ein Board erscheint hier, sobald darauf ein Spiel beginnt.",
        "Personne ne joue en ce moment. Une cible apparaît ici dès qu’une partie y commence.",
    ),
    "boards.count": Text("{n} boards in play", "{n} Boards im Spiel", "{n} cibles en jeu"),
    "boards.count.one": Text("1 board in play", "1 Board im Spiel", "1 cible en jeu"),
    "boards.part": Text(
        "Boards {first} to {last} of {n}", "Boards {first} bis {last} von {n}", "Cibles {first} à {last} sur {n}"
    ),
    "board.waits": Text("The score comes at the end", "Der Stand kommt am Ende", "Le score vient à la fin"),
    "lost": Text(
        "The hall does not answer. The scores below are the last ones known.",
        "Die Halle antwortet nicht. Unten stehen die letzten bekannten Stände.",
        "La salle ne répond pas. Les scores ci-dessous sont les derniers connus.",
    ),
    "throws": Text("throws", "wirft", "lance"),
    "won": Text("won", "gewonnen", "gagné"),
    "wins": Text("Won", "Gewonnen", "Gagnées"),
    "drawn": Text("drawn", "unentschieden", "nul"),
    "stopped": Text("stopped, does not count", "abgebrochen, zählt nicht", "arrêtée, ne compte pas"),
    "matches.none": Text(
        "No match is over yet.", "Es ist noch kein Spiel zu Ende.", "Aucune partie n’est encore terminée."
    ),
    "matches.latest": Text("The latest matches", "Die letzten Spiele", "Les dernières parties"),
    "uncounted": Text("is being counted", "wird gezählt", "en cours de calcul"),
    "result": Text("Result", "Ergebnis", "Résultat"),
    "visits": Text("Visits", "Aufnahmen", "Volées"),
    "visit": Text("Visit", "Aufnahme", "Volée"),
    "player": Text("Player", "Spieler", "Joueur"),
    "score": Text("Score", "Stand", "Score"),
    "legs": Text("Legs", "Legs", "Manches"),
    "darts": Text("Darts", "Darts", "Fléchettes"),
    "average": Text("Average", "Schnitt", "Moyenne"),
    "game": Text("Game", "Spielart", "Jeu"),
    "games.all": Text("All games", "Alle Spielarten", "Tous les jeux"),
    "when": Text("When", "Zeitraum", "Période"),
    "when.all": Text("All time", "Gesamter Zeitraum", "Depuis le début"),
    "when.month": Text("Last 30 days", "Letzte 30 Tage", "30 derniers jours"),
    "when.day": Text("Last 24 hours", "Letzte 24 Stunden", "24 dernières heures"),
    "show": Text("Show", "Anzeigen", "Afficher"),
    "points": Text("Points", "Punkte", "Points"),
    "points.how": Text(
        "Two points for a win, one for a draw. Stopped matches and bots count nothing.",
        "Zwei Punkte für einen Sieg, einer für ein Unentschieden. Abgebrochene Spiele und Bots zählen nicht.",
        "Deux points par victoire, un par match nul. Les parties arrêtées et les bots ne comptent pas.",
    ),
    "by": Text("By", "Nach", "Selon"),
    "rating": Text("Rating", "Wertung", "Cote"),
    "rating.how": Text(
        "The rating is over all games and venues; the order by it also counts how sure it is.",
        "Die Wertung gilt über alle Spiele und Orte; für die Reihenfolge zählt auch, wie sicher sie ist.",
        "La cote vaut pour tous les jeux et tous les lieux ; le rang tient aussi compte de sa certitude.",
    ),
    "ladder.none": Text(
        "No match counts here yet.", "Hier zählt noch kein Spiel.", "Aucune partie ne compte encore ici."
    ),
    "played": Text("Played", "Gespielt", "Jouées"),
    "node": Text("Venue", "Ort", "Lieu"),
    "nodes": Text("Venues", "Orte", "Lieux"),
    "unreadable": Text(
        "This version of oche does not know the game, so its visits cannot be shown.",
        "Diese Version von oche kennt das Spiel nicht und kann die Aufnahmen nicht anzeigen.",
        "Cette version d’oche ne connaît pas ce jeu : ses volées ne peuvent pas être affichées.",
    ),
    "visits.more": Text("The first {n} visits.", "Die ersten {n} Aufnahmen.", "Les {n} premières volées."),
    "missing": Text("There is no such page", "Diese Seite gibt es nicht", "Cette page n’existe pas"),
    "missing.how": Text(
        "What was here may have been forgotten, or the address has a mistake.",
        "Was hier stand, wurde vielleicht vergessen, oder die Adresse hat einen Fehler.",
        "Ce qui était ici a peut-être été oublié, ou l’adresse contient une erreur.",
    ),
    "away": Text("The hall is away", "Die Halle ist nicht erreichbar", "La salle est indisponible"),
    "away.how": Text(
        "Its database does not answer. Nothing is lost: the venues keep their matches. Try again in a minute.",
        "Ihre Datenbank antwortet nicht. Nichts geht verloren: Die Orte behalten ihre Spiele. "
        "Versuch es in einer Minute noch einmal.",
        "Sa base de données ne répond pas. Rien n’est perdu : les lieux gardent leurs parties. "
        "Réessayez dans une minute.",
    ),
    "league": Text("For the league", "Für die Liga", "Pour la ligue"),
    "seen": Text("Last heard", "Zuletzt gehört", "Dernier contact"),
    "never": Text("never", "nie", "jamais"),
    "waiting": Text("Waiting there", "Wartet dort", "En attente là-bas"),
    "refused": Text("Refused", "Abgelehnt", "Refusés"),
    "state": Text("State", "Zustand", "État"),
    "state.good": Text("answers", "antwortet", "répond"),
    "state.late": Text("late", "im Rückstand", "en retard"),
    "state.silent": Text(
        "has not answered for {ago}", "hat seit {ago} nicht geantwortet", "n’a pas répondu depuis {ago}"
    ),
    "state.never": Text("has never answered", "hat noch nie geantwortet", "n’a jamais répondu"),
    "state.revoked": Text("shut out", "ausgeschlossen", "exclu"),
    "days": Text("{n} days", "{n} Tagen", "{n} jours"),
    "hours": Text("{n} hours", "{n} Stunden", "{n} heures"),
    "minutes": Text("{n} min", "{n} min", "{n} min"),
    "forgotten": Text("Forgotten, not confirmed", "Vergessen, nicht bestätigt", "Oubliés, non confirmés"),
    "forgotten.none": Text("Every venue has confirmed.", "Alle Orte haben bestätigt.", "Tous les lieux ont confirmé."),
    "forgotten.row": Text(
        "{node} still has {n} of those who were forgotten on {date}.",
        "{node} hat noch {n} derer, die am {date} vergessen wurden.",
        "{node} a encore {n} des personnes oubliées le {date}.",
    ),
}

NAMES: Final = {"en": "English", "de": "Deutsch", "fr": "Français"}
"""What each language calls itself."""
