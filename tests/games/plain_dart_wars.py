"""A second Dart Wars, written independently of the engine and differently: every troop is an object.

It is fed the actions of a match that begins with homelands, and says for each
one whether it has its place. It knows the map by name and nothing of beds.
"""

from collections.abc import Mapping, Sequence
from typing import Any

RINGS = ["DB", "SB", "SI", "T", "SO", "D", "MISS"]


class Troop:
    def __init__(self, owner: str, zone: str, ready: bool = False) -> None:
        self.owner, self.zone, self.ready, self.attacks = owner, zone, ready, False


class PlainDartWars:
    def __init__(
        self, homes: Mapping[str, str], ways: Mapping[str, Sequence[str]], lands: Sequence[str], supply: int
    ) -> None:
        self.names, self.homes, self.ways, self.lands, self.supply = list(homes), dict(homes), ways, lands, supply
        self.master: dict[str, str] = {}
        self.visited = set(homes.values())
        self.troops = [Troop(name, home) for name, home in homes.items() for _ in range(3)]
        self.winner = ""
        self.turn_of(self.names[0])

    def turn_of(self, name: str) -> None:
        self.player, self.phase = name, "throw"
        self.darts: list[list[str]] = []
        self.used: set[int] = set()
        for troop in self.troops:
            troop.ready, troop.attacks = troop.owner == name, False

    def side(self, name: str) -> str:
        return self.master.get(name, name)

    def foes(self, zone: str, of: str = "") -> list[Troop]:
        return [t for t in self.troops if t.zone == zone and self.side(t.owner) != self.side(of or self.player)]

    def mine(self, zone: str) -> list[Troop]:
        return [t for t in self.troops if t.zone == zone and t.owner == self.player]

    def pending(self, zone: str) -> int:
        return sum(t.attacks for t in self.mine(zone))

    # --- throws

    def dart(self, zones: Sequence[str]) -> None:
        self.darts.append(list(zones))
        if len(self.darts) == 3:
            self.phase = "move"

    # --- actions

    def mover(self, zone: str) -> Troop | None:
        return next((t for t in self.mine(zone) if t.ready), None)

    def could_use(self, dart: int) -> bool:
        """Whether a ready troop that is obliged could attack with this dart."""
        home = self.homes[self.player]
        for troop in self.troops:
            if troop.owner == self.player and troop.ready and not (troop.zone == home and len(self.mine(home)) == 1):
                for zone in self.darts[dart]:
                    walks = troop.zone in self.ways[zone] and not (zone == home and len(self.mine(home)) >= 4)
                    if troop.zone == zone or walks:
                        return True
        return False

    def owed(self) -> list[int]:
        return [
            n
            for n, zones in enumerate(self.darts)
            if n not in self.used and zones and all(self.foes(zone) for zone in zones) and self.could_use(n)
        ]

    def fits(self, dart: int, start: str, to: str | None, passing: bool) -> str:
        """The zone that this move goes to; empty if the move is not allowed."""
        if dart >= len(self.darts) or dart in self.used or not self.darts[dart] or self.mover(start) is None:
            return ""
        zones = self.darts[dart]
        if (to is None) != (len(zones) == 1) or (to is not None and to not in zones):
            return ""
        zone = to or zones[0]
        foes = len(self.foes(zone))
        if start == zone:
            return zone if foes and not passing else ""
        if start not in self.ways[zone] or (zone == self.homes[self.player] and len(self.mine(zone)) >= 4):
            return ""
        return "" if passing and not (0 < foes <= self.pending(zone)) else zone

    def move(self, dart: int, start: str, to: str | None, passing: bool) -> bool:
        zone = self.fits(dart, start, to, passing)
        if not zone:
            return False
        attack = bool(self.foes(zone)) and not passing
        due = [n for n in self.owed() if n != dart]
        before = self.snapshot()
        self.do_move(dart, start, zone, attack)
        if not attack and not self.winner:
            for n in due:
                if n not in self.owed() and all(self.foes(zone) for zone in self.darts[n]):
                    self.restore(before)
                    return False
        return True

    def do_move(self, dart: int, start: str, zone: str, attack: bool) -> None:
        troop = self.mover(start)
        assert troop is not None
        troop.zone = zone
        self.used.add(dart)
        if attack:
            troop.ready, troop.attacks = False, True
        elif zone in self.lands and zone not in self.visited:
            self.visited.add(zone)
            if sum(t.owner == self.player for t in self.troops) < self.supply:
                troop.ready = False
                self.troops.append(Troop(self.player, zone))
        self.conquests()

    def snapshot(self) -> Any:
        troops = [(t.owner, t.zone, t.ready, t.attacks) for t in self.troops]
        return troops, set(self.used), set(self.visited), dict(self.master), self.winner

    def restore(self, saved: Any) -> None:
        troops, self.used, self.visited, self.master, self.winner = saved
        self.troops = []
        for owner, zone, ready, attacks in troops:
            self.troops.append(Troop(owner, zone, ready))
            self.troops[-1].attacks = attacks

    def done(self) -> bool:
        if self.owed():
            return False
        self.phase = "combat"
        self.close_if_quiet()
        return True

    # --- combats

    def combat(self, zone: str, against: str, by: str, first: str, darts: Sequence[str]) -> None:
        """One combat from its announcement to its last dart, with these beds thrown."""
        order = [first, by if first == self.player else self.player]
        rings = [next(n for n, ring in enumerate(RINGS) if bed.startswith(ring)) for bed in darts]
        winner = order[0] if rings[-2] < rings[-1] else order[1]
        loser = order[1] if winner == order[0] else order[0]
        assert rings[-2] != rings[-1]
        attacker = next(t for t in self.mine(zone) if t.attacks)
        lost = attacker if loser == self.player else next(t for t in self.troops if t.owner == loser and t.zone == zone)
        attacker.attacks = False
        self.troops.remove(lost)
        in_the_box = self.supply - sum(t.owner == winner for t in self.troops)
        if zone not in (self.homes[winner], self.homes[loser]) and in_the_box > 0:
            self.troops.append(Troop(winner, zone))
        self.conquests()
        self.close_if_quiet()

    def close_if_quiet(self) -> None:
        if not self.winner and not any(t.attacks for t in self.troops):
            self.end_turn()

    # --- consequences

    def around(self) -> list[str]:
        at = self.names.index(self.player)
        return self.names[at:] + self.names[:at]

    def conquests(self) -> None:
        fallen = True
        while fallen and not self.winner:
            fallen = False
            for owner in self.around():
                home = self.homes[owner]
                there = [t for t in self.troops if t.zone == home]
                if there and not any(self.side(t.owner) == self.side(owner) for t in there):
                    self.fall(owner, [t.owner for t in there])
                    fallen = True
                    break
        for troop in self.troops:
            if troop.attacks and not self.foes(troop.zone):
                troop.attacks = False

    def fall(self, owner: str, there: list[str]) -> None:
        conqueror = self.player
        if conqueror not in there:
            most = max(there.count(name) for name in there)
            conqueror = next(name for name in self.around() if there.count(name) == most)
        master = self.side(conqueror)
        for name in self.names:
            if name == owner or self.master.get(name) == owner:
                self.master[name] = master
        if not any(t.owner == owner for t in self.troops):
            self.troops.append(Troop(owner, self.homes[owner]))
        if len(self.master) == len(self.names) - 1:
            self.winner = next(name for name in self.names if name not in self.master)

    def end_turn(self) -> None:
        free = [name for name in self.names if name not in self.master]
        if len(free) == 2:
            for alone, other in (free, reversed(free)):
                vassals = list(self.master.values())
                away = [t for t in self.troops if t.owner == alone and t.zone != self.homes[alone]]
                if alone not in vassals and other in vassals and not away:
                    self.master[alone] = other
                    self.winner = other
                    return
        following = [*self.around()[1:], self.player]
        self.turn_of(next(name for name in following if any(t.owner == name for t in self.troops)))

    # --- what tests compare

    def zones(self) -> dict[str, dict[str, int]]:
        zones: dict[str, dict[str, int]] = {}
        for troop in self.troops:
            here = zones.setdefault(troop.zone, {})
            here[troop.owner] = here.get(troop.owner, 0) + 1
        return zones

    def counts(self, attacks: bool) -> dict[str, int]:
        zones = [t.zone for t in self.troops if (t.attacks if attacks else t.ready)]
        return {zone: zones.count(zone) for zone in zones}
