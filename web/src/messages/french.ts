// All messages of this language, in a file that is loaded on demand.
import pages from "./fr.json";
import past from "./history.fr.json";

export default { ...pages, ...past };
