// The page of the history for an address, if any.
import type { VNode } from "preact";
import type { Geometry } from "../geometry";
import { MatchesPage } from "./matches";
import { PlayerPage } from "./person/page";
import { PlayersPage } from "./players";
import { ReplayPage } from "./replay";

export function historyPage(path: string, geometry: Geometry): VNode | undefined {
  const [, place, what] = /^\/(history|players)(?:\/([^/]+))?\/?$/.exec(path) ?? [];
  if (place === "history") return what ? <ReplayPage id={what} geometry={geometry} /> : <MatchesPage />;
  if (place === "players")
    return what ? <PlayerPage name={decodeURIComponent(what)} geometry={geometry} /> : <PlayersPage />;
  return undefined;
}
