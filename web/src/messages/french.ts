// All messages of this language, in a file that is loaded on demand.
import pages from "./fr.json";
import past from "./history.fr.json";
import venue from "./venue.fr.json";

export default { ...pages, ...past, ...venue };
