// What the configuration's table [web] says: the venue's own name, logo, colour and words.
import { useState } from "preact/hooks";
import { fileOf } from "./sound/files";

export interface Venue {
  name?: string;
  /** A file in the folder `show` of the data directory. */
  logo?: string;
  /** Readable on the dark theme's backgrounds, and on the light one's. */
  accent?: { dark: string; light: string };
  idle?: string;
  /** From when to when a screen without a match is dim, as "23:00"; empty for never. */
  night: string[];
  /** Whether players keep their places on the screen when another one begins. */
  fixed_sides: boolean;
  /** In percent. */
  font_size: number;
}

let known: Venue = { night: [], fixed_sides: false, font_size: 100 };

export function venue(): Venue {
  return known;
}

/** Remembers what the daemon says of its venue, and gives the page its colour and size. */
export function knowVenue(told: Venue | undefined): void {
  known = told ?? known;
  const { style } = document.documentElement;
  const { accent, font_size: size } = known;
  if (accent) {
    style.setProperty("--accent", accent.dark);
    style.setProperty("--accent-light", accent.light);
  }
  if (size !== 100) style.setProperty("--font-size", String(size / 100));
}

/** The venue's logo, or its name if there is no such file; without either the program's. */
export function Brand() {
  const { name, logo } = known;
  const [missing, setMissing] = useState(false);
  if (logo && !missing) {
    return (
      <p class="brand own">
        <img src={fileOf(logo)} alt={name ?? "oche"} onError={() => setMissing(true)} />
      </p>
    );
  }
  return <p class={name ? "brand own" : "brand"}>{name ?? "oche"}</p>;
}
