// Whether this screen plays sound, or calls: by its button, by the address, or switched from a phone.
import { useEffect, useState } from "preact/hooks";
import type { BoardClient } from "../board-client";
import { getStored, setStored } from "../storage";

type Name = "sound" | "caller";

/**
 * Whether sound or the caller is on in this browser, and the function that switches it.
 *
 * Until it was switched, `?sound` or `?caller` switches it on.
 */
export function useStoredSwitch(name: Name): [boolean, (on: boolean) => void] {
  const [on, setOn] = useState(() => {
    const stored = getStored(`oche.${name}`);
    return stored === null ? new URLSearchParams(location.search).has(name) : stored === "on";
  });
  const change = (to: boolean) => {
    setStored(`oche.${name}`, to ? "on" : "off");
    setOn(to);
  };
  return [on, change];
}

export function useSwitch(name: Name, { board, status }: BoardClient): [boolean, () => void] {
  const [on, change] = useStoredSwitch(name);
  const told = status === undefined ? undefined : String(status.screens?.[name] ?? "");
  useEffect(() => {
    // The status is retained: what was followed once must not undo what was touched here since.
    const followed = `oche.${name}.${board}`;
    if (told === undefined || getStored(followed) === told) return;
    setStored(followed, told);
    if (told !== "") change(told === "true");
  }, [told]);
  return [on, () => change(!on)];
}
