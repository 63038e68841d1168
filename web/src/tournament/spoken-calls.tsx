// Speaks who is called to which board: all calls on a wall, the own ones on a phone whose owner has chosen a name.
import { useEffect, useRef } from "preact/hooks";
import { onEach } from "../board-client";
import type { Bus } from "../bus";
import { type Call, CallQueue } from "../sound/call-queue";
import { CallerButton, usePacks } from "../sound/caller-button";
import { named } from "../sound/player-file";
import { useStoredSwitch } from "../sound/switch";
import { speaker } from "../sound/voice";
import { getStored } from "../storage";
import { MY_NAME, type Tournament, type TournamentEvent } from "./state";
import { w } from "./words";

/** How many calls may wait: one for each board of a tournament. */
const MOST = 64;
/** How a phone shakes, in ms: on, off, on. */
const SHAKES = [300, 150, 300];

interface Props {
  bus: Bus;
  node: string;
  tournament: Tournament | undefined;
}

export function SpokenCalls({ bus, node, tournament }: Props) {
  const [caller, setCaller] = useStoredSwitch("caller");
  const packs = usePacks(caller);
  const packRef = useRef(packs.chosen);
  packRef.current = packs.chosen;
  const entrantsRef = useRef(tournament?.entrants);
  entrantsRef.current = tournament?.entrants;
  useEffect(() => {
    if (!caller) return undefined;
    const calls = new CallQueue(
      speaker(() => packRef.current),
      MOST,
    );
    const end = onEach<TournamentEvent>(bus, `oche/${node}/tournament/event`, (event) => {
      const me = getStored(MY_NAME);
      const isEntrant = entrantsRef.current?.some(({ name }) => name === me);
      const call = callTo(event, isEntrant ? (me ?? undefined) : undefined);
      if (!call) return;
      if (isEntrant) navigator.vibrate?.(SHAKES);
      calls.add(call);
    });
    return () => {
      end();
      calls.stop();
    };
  }, [bus, node, caller]);
  return (
    <span class="cup-caller">
      <CallerButton caller={caller} onToggle={() => setCaller(!caller)} packs={packs} />
    </span>
  );
}

/** "Ann and Bob to board 3"; undefined if the event is not a call, or calls others than `me`. A pack needs files for all of it. */
export function callTo({ event, players, board }: TournamentEvent, me?: string): Call | undefined {
  const [home, away] = players;
  if (event !== "called" || board === undefined || home === undefined || away === undefined) return undefined;
  if (me !== undefined && !players.includes(me)) return undefined;
  const files = named([], players);
  const text = w("call", { home, away, board });
  return { parts: [{ text, files: files.length > 0 ? [...files, `board_${board}`] : [] }], priority: 1 };
}
