// Whose phone this is: it shows only that player's hand, and subscribes to no other.
import { useEffect, useState } from "preact/hooks";
import type { Hand, Match } from "../match";
import type { BoardClient } from "../board-client";
import { t } from "../text";

const STORED = "oche.player";

interface SeatChoice {
  /** The player whose phone this is, if they play in this match. */
  name: string | undefined;
  hand: Hand | undefined;
  choose: (name: string | undefined) => void;
}

/** The seat of this phone, stored by the player's name, so that it is valid for the next match too. */
export function useSeat(client: BoardClient): SeatChoice {
  const [wanted, setWanted] = useState(() => localStorage.getItem(STORED) ?? undefined);
  const { match } = client;
  const people = match?.players.filter(({ house }) => !house) ?? [];
  const at = people.findIndex(({ name }) => name === wanted);
  // A user with the role player has the hand under their name, in any seat.
  const seat = client.player !== undefined ? 0 : at < 0 ? undefined : at + 1;
  useEffect(() => (seat === undefined ? undefined : client.followHand(seat)), [client, seat]);
  const held = seat === undefined ? undefined : client.hand(seat);
  return {
    name: client.player === undefined ? people[at]?.name : held?.name,
    // A hint of another match is dropped. That of the previous state stays until the new one arrives.
    hand: held && held.match === match?.match ? held : undefined,
    choose: (name) => {
      setWanted(name);
      if (name === undefined) localStorage.removeItem(STORED);
      else localStorage.setItem(STORED, name);
    },
  };
}

export function Seat({ match, seat }: { match: Match; seat: SeatChoice }) {
  const people = match.players.filter(({ name, house }) => !house && match.bots?.[name] === undefined);
  return (
    <label class="seat">
      <span>{t("hand.whose")}</span>
      <select
        value={seat.name ?? ""}
        onChange={(event) => seat.choose(event.currentTarget.value === "" ? undefined : event.currentTarget.value)}
      >
        <option value="">{t("hand.nobody")}</option>
        {people.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
