// A name in the room that it has: narrower letters, then smaller ones, then initials. It is cut only after all of them.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { shortName } from "../wall/grid";

/** The steps; the styles are in players.css. */
const FITS = ["", "narrow", "narrow less", "narrow small", "narrow small initials"] as const;
const INITIALS = FITS.length - 1;

interface Props {
  name: string;
  /** The id of the match: in another one the same name has other room. */
  match: string;
  /** How many characters stand beside it: when that changes, the whole name may have room again. */
  beside?: number;
  /** The colour of the player: a line below the name. */
  own?: string | undefined;
}

export function FittedName({ name, match, beside = 0, own }: Props) {
  const text = useRef<HTMLSpanElement>(null);
  const [fit, setFit] = useState(0);
  // Drawn again, a name that has had room so far is measured again.
  const [, setTimes] = useState(0);
  const was = useRef(beside);
  useEffect(() => {
    const again = () => {
      setFit(0);
      setTimes((times) => times + 1);
    };
    // Letters have another width before the typeface is loaded.
    void document.fonts.ready.then(again);
    addEventListener("resize", again);
    return () => removeEventListener("resize", again);
  }, [name, match]);
  // After every drawing: a score beside it may have become wider.
  useLayoutEffect(() => {
    const changed = was.current !== beside;
    was.current = beside;
    if (changed && fit > 0) return setFit(0);
    const node = text.current;
    if (!node || fit === INITIALS) return;
    if (node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight * LINES) setFit(fit + 1);
  });
  return (
    <span
      ref={text}
      class={["text", FITS[fit], own && "own"].filter(Boolean).join(" ")}
      style={own && { "--own": own }}
      title={fit === INITIALS ? name : undefined}
    >
      {fit === INITIALS ? withInitials(name) : name}
    </span>
  );
}

/** Letters reach a little out of a line; a second line is far more. */
const LINES = 1.3;

/** "Jean-B. O." */
function withInitials(name: string): string {
  return shortName(name.replace(/-(\p{L})\p{L}*/gu, "-$1."));
}
