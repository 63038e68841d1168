// The button of the spoken caller, and the choice of its voice where the daemon has packs.
import { useEffect, useState } from "preact/hooks";
import { getStored, setStored } from "../storage";
import { t } from "../text";
import type { Pack } from "./pack";
import { fetchPacks } from "./voice";

/** The packs of the daemon, and the one that was chosen: by `?pack=NAME`, or in the list. */
export interface Packs {
  known: Pack[];
  chosen: Pack | undefined;
  choose: (name: string) => void;
}

/** Asks the daemon for its packs once the caller is on. */
export function usePacks(caller: boolean): Packs {
  const [known, setKnown] = useState<Pack[]>([]);
  const [name, setName] = useState(
    () => new URLSearchParams(location.search).get("pack") ?? getStored("oche.pack") ?? "",
  );
  useEffect(() => {
    if (caller) void fetchPacks().then(setKnown);
  }, [caller]);
  const choose = (chosen: string) => {
    setStored("oche.pack", chosen);
    setName(chosen);
  };
  return { known, chosen: known.find((pack) => pack.name === name), choose };
}

interface Props {
  caller: boolean;
  onToggle: () => void;
  packs: Packs;
}

export function CallerButton({ caller, onToggle, packs }: Props) {
  return (
    <>
      <button type="button" aria-pressed={caller} onClick={onToggle}>
        {t("caller")}
      </button>
      {caller && packs.known.length > 0 && (
        <select
          aria-label={t("caller.voice")}
          value={packs.chosen?.name ?? ""}
          onChange={(event) => packs.choose(event.currentTarget.value)}
        >
          <option value="">{t("caller.browser")}</option>
          {packs.known.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      )}
    </>
  );
}
