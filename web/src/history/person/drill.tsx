// Starts a drill for a player, by one touch, on a board on which nothing is played.
import { useEffect, useState } from "preact/hooks";
import { storedUser } from "../../access";
import { BoardClient, useBus, viewTopics } from "../../board-client";
import { Bus } from "../../bus";
import { gameTitle } from "../../game-title";
import type { Geometry } from "../../geometry";
import { boardsOf } from "../../pages/home";
import { t } from "../../text";

interface Props {
  name: string;
  game: string;
  geometry: Geometry;
}

export function Drill({ geometry, ...about }: Props) {
  const [bus, setBus] = useState<Bus>();
  const { node } = geometry;
  useEffect(() => {
    if (storedUser()?.role === "display") return undefined;
    const broker = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/mqtt`;
    // It lives as long as the page.
    setBus(new Bus(broker, [...viewTopics(node), `oche/${node}/board/+/reply`], storedUser()));
    return undefined;
  }, [node]);
  return bus ? <OnBoards bus={bus} node={node} {...about} /> : null;
}

function OnBoards({ bus, node, name, game }: { bus: Bus; node: string; name: string; game: string }) {
  useBus(bus);
  const [problem, setProblem] = useState<string>();
  const free = boardsOf(bus, node)
    .map((board) => new BoardClient(bus, node, board))
    .filter(({ match, status }) => status?.state === "online" && (!match || match.finished));
  const start = async (client: BoardClient) => {
    const reply = await client.command({ start: { game, players: [name], options: {} } });
    if (reply?.ok) location.assign(`/board/${client.board}/control`);
    else setProblem(reply ? (reply.message ?? reply.reason) : t("control.noanswer"));
  };
  return (
    <p class="drill">
      {free.map((client) => (
        <button key={client.board} type="button" class="primary" onClick={() => void start(client)}>
          {t("coach.start", { game: gameTitle(game), board: client.board })}
        </button>
      ))}
      {bus.settled && free.length === 0 && <span class="dust">{t("coach.busy")}</span>}
      <span role="alert" class="problem">
        {problem}
      </span>
    </p>
  );
}
