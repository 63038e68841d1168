// All messages of this language, in a file that is loaded on demand.
import pages from "./fr.json";
import card from "./card.fr.json";
import houses from "./houses.fr.json";
import past from "./history.fr.json";
import places from "./places.fr.json";
import playing from "./playing.fr.json";
import reasons from "./reasons.fr.json";
import venue from "./venue.fr.json";

export default { ...pages, ...card, ...houses, ...past, ...playing, ...venue };

/** What the daemon says in English: the names of places, and the reasons of refusals. */
export const SAID: Record<"places" | "reasons", Record<string, string>> = { places, reasons };
