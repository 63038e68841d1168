// All that the pages say in this language, in a file that is fetched by who reads it.
import pages from "./de.json";
import past from "./history.de.json";

export default { ...pages, ...past };
