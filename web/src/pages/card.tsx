// `/card#…`: what a card's link opens. It says whose card it is, and takes a seat in the next match of a board.
import { useEffect, useState } from "preact/hooks";
import { useBus } from "../board-client";
import type { Bus } from "../bus";
import { openedCard, playerOf, seat } from "../card";
import { t } from "../text";
import { Brand } from "../venue";
import { boardsOf } from "./home";
import { LanguageChoice } from "./language";

export function CardPage({ bus, node }: { bus: Bus; node: string }) {
  useBus(bus);
  const [card] = useState(openedCard);
  const [player, setPlayer] = useState<string>();
  const [problem, setProblem] = useState(card === undefined ? t("card.none") : undefined);
  const boards = boardsOf(bus, node);
  const control = (board: string) => `/board/${board}/control`;
  useEffect(() => {
    if (card === undefined) return;
    void playerOf(card).then(({ player, problem }) => {
      if (player !== undefined) seat(player);
      setPlayer(player);
      setProblem(problem);
    });
  }, []);
  const only = player !== undefined && bus.settled && boards.length === 1 ? boards[0] : undefined;
  useEffect(() => {
    if (only !== undefined) location.replace(control(only));
  }, [only]);
  return (
    <div class="page home">
      <header class="bar">
        <Brand />
        <LanguageChoice />
      </header>
      <main>
        <h1>{player ?? t("card")}</h1>
        <p role="status">{problem ?? t(player === undefined ? "connecting" : "card.where")}</p>
        {player !== undefined && (
          <ul class="boards">
            {boards.map((board) => (
              <li key={board}>
                <a class="button primary" href={control(board)}>
                  {board}
                </a>
              </li>
            ))}
          </ul>
        )}
      </main>
    </div>
  );
}
