// What a page says of the other houses of a match: who is away, who has left, and which darts wait.
import type { Match } from "../match";
import { dartName, t } from "../text";

/** Sentences; empty while every house is there, or the match is in one house. */
export function houseNews(match: Match | undefined): string {
  const houses = (match?.houses ?? []).filter(({ state }) => state !== "here");
  if (!match || match.finished || houses.length === 0) return "";
  const said = houses.map(({ node, state }) => t(state === "left" ? "houses.left" : "houses.away", { node }));
  const sent = match.sent ?? [];
  if (sent.length > 0) said.push(t("houses.sent", { darts: sent.map((dart) => dartName(dart)).join(", ") }));
  return said.join(" ");
}

/** In a few words, where there is no room for sentences: which houses are away or have left; undefined if none is. */
export function housesAway(match: Match | undefined): string | undefined {
  const houses = match && !match.finished ? (match.houses ?? []).filter(({ state }) => state !== "here") : [];
  const said = houses.map(({ node, state }) => t(state === "left" ? "houses.left" : "houses.away.short", { node }));
  return said.length > 0 ? said.join(" ") : undefined;
}
