// The colours that players have chosen, for their names on a page.
import { createContext } from "preact";
import type { People } from "../sound/people";

/** None, where a page does not ask for them. */
export const Colours = createContext<People>({});
