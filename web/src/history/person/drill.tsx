// Starts a drill for a player, by one touch of a referee, on a board on which nothing is played.
import { useEffect, useState } from "preact/hooks";
import { isReferee, storedUser } from "../../access";
import { BoardClient, useBus, viewTopics } from "../../board-client";
import { Bus } from "../../bus";
import { useCommands } from "../../control/commands";
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
    if (!isReferee()) return undefined;
    const broker = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/mqtt`;
    // It lives as long as the page.
    setBus(new Bus(broker, [...viewTopics(node), `oche/${node}/board/+/reply`], storedUser()));
    return undefined;
  }, [node]);
  return bus ? <OnBoards bus={bus} node={node} {...about} /> : null;
}

function OnBoards({ bus, node, name, game }: { bus: Bus; node: string; name: string; game: string }) {
  useBus(bus);
  // Until the retained topics are read, a board with a match looks like one without.
  if (!bus.settled) return null;
  const free = boardsOf(bus, node)
    .map((board) => new BoardClient(bus, node, board))
    .filter(({ match, status }) => status?.state === "online" && (!match || match.finished));
  return (
    <p class="drill">
      {free.map((client) => (
        <StartDrill key={client.board} client={client} name={name} game={game} />
      ))}
      {free.length === 0 && <span class="dust">{t("coach.busy")}</span>}
    </p>
  );
}

function StartDrill({ client, name, game }: { client: BoardClient; name: string; game: string }) {
  const { send, busy, refused } = useCommands(client);
  const start = async () => {
    const started = await send({ start: { game, players: [name], options: {} } });
    if (started) location.assign(`/board/${client.board}/control`);
  };
  return (
    <>
      <button type="button" class="primary" disabled={busy || !client.live} onClick={() => void start()}>
        {t("coach.start", { game: gameTitle(game), board: client.board })}
      </button>
      <span role="alert" class="problem">
        {refused}
      </span>
    </>
  );
}
