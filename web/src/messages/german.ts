// All messages of this language, in a file that is loaded on demand.
import pages from "./de.json";
import card from "./card.de.json";
import houses from "./houses.de.json";
import past from "./history.de.json";
import places from "./places.de.json";
import playing from "./playing.de.json";
import reasons from "./reasons.de.json";
import venue from "./venue.de.json";

export default { ...pages, ...card, ...houses, ...past, ...playing, ...venue };

/** What the daemon says in English: the names of places, and the reasons of refusals. */
export const SAID: Record<"places" | "reasons", Record<string, string>> = { places, reasons };
