// A seat by a player's card, in the form of a new match: by the camera or NFC where the browser has them, by a scanner
// that types, or by the phone's own camera, which opens the card's link (`pages/card.tsx`).
import { useEffect, useRef, useState } from "preact/hooks";
import { isReferee } from "../access";
import { cardIn, playerOf, takeSeated } from "../card";
import { t } from "../text";
import { canSee, canTouch, watchCamera, watchTags } from "./card-reader";

interface Props {
  onPlayer: (name: string) => void;
}

export function CardScan({ onPlayer }: Props) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const player = takeSeated();
    if (player !== undefined) onPlayer(player);
  }, []);
  // Whoever may not start a match is not told whose a card is.
  if (!isReferee()) return null;
  return (
    <div class="card-scan">
      <button type="button" class="quiet" aria-expanded={open} onClick={() => setOpen(!open)}>
        {t("card.scan")}
      </button>
      {open && (
        <Reader
          onPlayer={(name) => {
            setOpen(false);
            onPlayer(name);
          }}
        />
      )}
    </div>
  );
}

function Reader({ onPlayer }: Props) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string>();
  // One card is read many times, and asked for once.
  const asked = useRef<string | undefined>(undefined);
  const latest = useRef(onPlayer);
  latest.current = onPlayer;
  const here = useRef(true);
  const read = async (text: string) => {
    const card = cardIn(text);
    if (card === undefined) return setProblem(t("card.none"));
    if (card === asked.current) return;
    asked.current = card;
    const { player, problem } = await playerOf(card);
    if (!here.current) return;
    if (player !== undefined) latest.current(player);
    else setProblem(problem);
  };
  useEffect(() => {
    const end = new AbortController();
    const refused = (error: unknown) => here.current && setProblem(t("card.refused", { why: String(error) }));
    if (canSee() && video.current) watchCamera(video.current, (text) => void read(text), end.signal).catch(refused);
    if (canTouch()) watchTags((text) => void read(text), end.signal).catch(refused);
    return () => {
      here.current = false;
      end.abort();
    };
  }, []);
  return (
    <div class="card-reader">
      {canSee() && <video ref={video} muted playsInline />}
      <p>{t(canSee() ? "card.show" : "card.camera")}</p>
      {canTouch() && <p>{t("card.touch")}</p>}
      <label>
        <span>{t("card.typed")}</span>
        <input
          type="text"
          autocomplete="off"
          spellcheck={false}
          // A scanner ends what it types with Enter, which would start the match.
          onKeyDown={(event) => {
            if (event.key !== "Enter") return;
            event.preventDefault();
            asked.current = undefined;
            void read(event.currentTarget.value);
            event.currentTarget.value = "";
          }}
        />
      </label>
      <p role="alert" class="problem">
        {problem}
      </p>
    </div>
  );
}
