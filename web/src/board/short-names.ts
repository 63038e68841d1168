// Names of places that are set in the room that they have: in full, in a short form, or cut.

/** The width of a letter of the narrowest face, in parts of its height. */
const LETTER = 0.43;

/** Fewer letters than these would say nothing. */
const FEWEST = 3;

/** Words that are written short on every map. */
const SHORT: Record<string, string> = {
  North: "N.",
  South: "S.",
  East: "E.",
  West: "W.",
  New: "N.",
  Great: "Gr.",
  Gulf: "G.",
  Sea: "",
  of: "",
  Strait: "Str.",
  Bay: "",
  Ocean: "Oc.",
  Golf: "G.",
  von: "",
  Große: "Gr.",
  Meer: "",
  See: "",
  Ozean: "",
  Nouvelle: "N.",
  Grande: "Gr.",
  Grands: "Gr.",
  Golfe: "G.",
  Mer: "",
  Baie: "",
  Détroit: "Dét.",
  Terre: "",
  Océan: "Oc.",
  de: "",
  du: "",
  des: "",
  Nord: "N.",
  Sud: "S.",
  Est: "E.",
  Ouest: "O.",
};

/** Names whose short forms are known, the longest first: cut at any letter they would say less. */
const KNOWN: Record<string, readonly string[]> = {
  Aleutians: ["Aleut."],
  Aléoutiennes: ["Aléout."],
  California: ["Calif."],
  Scandinavia: ["Scand."],
  Scandinavie: ["Scand."],
  Skandinavien: ["Skand."],
  Kamchatka: ["Kamch.", "Kam."],
  Kamtschatka: ["Kamtsch.", "Kam."],
  Britannien: ["Brit."],
  Baltique: ["Balt."],
  Angleterre: ["Angl."],
  Californie: ["Calif."],
  Kalifornien: ["Kalif."],
  Caspienne: ["Casp."],
  Sargasses: ["Sarg."],
  Dänemarkstraße: ["Dänemarkstr.", "Dänemark", "Dänem.", "Dän."],
  Ochotskisches: ["Ochotsk", "Och."],
  Chinesisches: ["Chin. Meer", "Chin. M."],
  Kaspisches: ["Kaspi-M.", "Kasp."],
  Kanarisches: ["Kanaren", "Kan."],
  Polynesisches: ["Polynes.", "Polyn."],
  Indischer: ["Ind. Oz."],
  Beringmeer: ["Bering", "Ber."],
  Irmingersee: ["Irminger", "Irm."],
  Karasee: ["Kara"],
  Javasee: ["Java"],
  Sargassosee: ["Sargasso", "Sarg."],
  Korallenmeer: ["Korallen", "Kor."],
  Nordatlantik: ["N. Atlantik", "N. Atl."],
  Südatlantik: ["S. Atlantik", "S. Atl."],
  Nordpazifik: ["N. Pazifik", "N. Paz."],
  Südpazifik: ["S. Pazifik", "S. Paz."],
  Ostpazifik: ["O. Pazifik", "O. Paz."],
  Westpazifik: ["W. Pazifik", "W. Paz."],
  Neuengland: ["N. England", "N. Engl."],
  Neuseeland: ["Neuseel."],
};

/** A cut name ends with a consonant, as far as it keeps enough letters. */
const VOWELS = /[aeiouyäöüéèêàâôûîï]+$/i;

/** Small words before a vowel. */
const JOINED = /^d’/;

/** The longest form of a name that fits into `room`, in the same unit as the letters' `size`. */
export function fitted(title: string, room: number, size: number): string {
  const most = Math.max(FEWEST, Math.floor(room / (LETTER * size)));
  if (title.length <= most) return title;
  const words = title.split(/[ -]/).map((word) => word.replace(JOINED, ""));
  // Of several words the last one that is not written short is the name; of "North Sea" it is the first.
  const main = words.findLast((word) => SHORT[word] === undefined);
  const short = words.map((word) => (words.length > 1 ? (SHORT[word] ?? word) : word)).filter(Boolean);
  if (main !== undefined && short.join(" ").length <= most) return short.join(" ");
  // "Atlantic" alone could be the northern or the southern one.
  const prefix = short.find((word) => word.endsWith(".")) ?? "";
  const rest = most - prefix.length - 1;
  if (main !== undefined && prefix !== "" && rest >= FEWEST) return `${prefix} ${cut(main, rest)}`;
  if (main !== undefined && main.length <= most) return main;
  return cut(main ?? words.find((word) => SHORT[word] !== "") ?? title, most);
}

function cut(main: string, most: number): string {
  if (main.length <= most) return main;
  const known = KNOWN[main]?.find((form) => form.length <= most);
  if (known !== undefined) return known;
  if (most <= FEWEST) return main.slice(0, FEWEST);
  const start = main.slice(0, most - 1);
  const closed = start.replace(VOWELS, "");
  return `${closed.length >= FEWEST ? closed : start}.`;
}
