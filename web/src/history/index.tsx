// The page of the history for the parts of an address: all matches or one, all players or one, the beds of a board.
import type { VNode } from "preact";
import type { Geometry } from "../geometry";
import type { PageParts } from "../page-paths";
import { HealthPage } from "./health";
import { MatchesPage } from "./matches";
import { PlayerPage } from "./person/page";
import { PlayersPage } from "./players";
import { ReplayPage } from "./replay";

export function historyPage(geometry: Geometry, { board, match, name }: PageParts): VNode {
  if (board !== undefined) return <HealthPage board={board} geometry={geometry} />;
  if (match !== undefined) return <ReplayPage id={match} geometry={geometry} />;
  if (name !== undefined) return <PlayerPage name={decodeURIComponent(name)} geometry={geometry} />;
  return location.pathname.startsWith("/players") ? <PlayersPage /> : <MatchesPage />;
}
