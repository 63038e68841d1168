// All messages of this language, in a file that is loaded on demand. Its keys are those of every language.
import pages from "./en.json";
import card from "./card.en.json";
import houses from "./houses.en.json";
import past from "./history.en.json";
import playing from "./playing.en.json";
import venue from "./venue.en.json";

export const ENGLISH = { ...pages, ...card, ...houses, ...past, ...playing, ...venue };

export default ENGLISH;

/** The daemon says the names of places and the reasons of refusals in English. */
export const SAID: Record<"places" | "reasons", Record<string, string>> = { places: {}, reasons: {} };
