// All messages of this language, in a file that is loaded on demand.
import pages from "./de.json";
import past from "./history.de.json";
import venue from "./venue.de.json";

export default { ...pages, ...past, ...venue };
