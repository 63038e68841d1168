// All that the pages say in this language, in a file that is fetched by who reads it.
import pages from "./fr.json";
import past from "./history.fr.json";

export default { ...pages, ...past };
