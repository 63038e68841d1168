// The rules of a game as three short cards: in the form of a new match, and during one.
import { useEffect, useRef, useState } from "preact/hooks";
import { gameTitle } from "../game-title";
import { type Key, t } from "../text";
import { type GameAbout, loadGames, wordsOf } from "./catalogue";

const CARDS = ["aim", "turn", "end"];

export function Cards({ words }: { words: Record<string, string> }) {
  return (
    <dl class="cards">
      {CARDS.map((card) => (
        <div key={card}>
          <dt>{t(`start.card.${card}` as Key)}</dt>
          <dd>{words[card]}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The button for the rules of the match that is played. */
export function RulesButton({ game }: { game: string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="quiet rules" onClick={() => setOpen(true)}>
        {t("start.rules")}
      </button>
      {open && <RulesSheet game={game} onClose={() => setOpen(false)} />}
    </>
  );
}

function RulesSheet({ game, onClose }: { game: string; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [games, setGames] = useState<GameAbout[]>();
  useEffect(() => {
    dialog.current?.showModal();
    void loadGames().then(setGames);
  }, []);
  const words = wordsOf(games?.find(({ name }) => name === game));
  return (
    <dialog ref={dialog} class="sheet" onClose={onClose} aria-labelledby="rules">
      <header>
        <h2 id="rules">{gameTitle(game)}</h2>
        <button type="button" class="quiet" onClick={onClose}>
          {t("control.close")}
        </button>
      </header>
      {words && <p>{words["pitch"]}</p>}
      {words ? <Cards words={words} /> : games && <p>{t("start.rules.none")}</p>}
    </dialog>
  );
}
