// Sends one command at a time, and keeps the message of a refusal.
import { useRef, useState } from "preact/hooks";
import type { Command } from "../match";
import type { BoardClient } from "../board-client";
import { refusalText, t } from "../text";

/** After a reply the new state takes a moment; a button pressed before it would refer to the old one. */
const STATE_WITHIN_MS = 1000;

interface Commands {
  /** True if the daemon carried it out. With `keepRefusal` the message of the refusal before stays. */
  send: (command: Command, about?: { keepRefusal?: boolean }) => Promise<boolean>;
  busy: boolean;
  refused: string | undefined;
  dismiss: () => void;
}

export function useCommands(client: BoardClient): Commands {
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const sending = useRef(false);

  async function send(command: Command, { keepRefusal = false } = {}): Promise<boolean> {
    if (sending.current || !client.live) return false;
    sending.current = true;
    setBusy(true);
    if (!keepRefusal) setRefused(undefined);
    // The daemon refuses the command if a dart or another phone has changed the state on this screen meanwhile.
    const seen = client.match;
    const reply = await client.command(seen ? { ...command, revision: seen.revision } : command);
    if (reply?.ok) await stateArrives(client, reply.revision);
    else setRefused(reply ? refusalText(reply) : t("control.noanswer"));
    sending.current = false;
    setBusy(false);
    return reply?.ok === true;
  }

  return { send, busy, refused, dismiss: () => setRefused(undefined) };
}

/** Resolves when the state has at least this revision, or the match is gone. */
function stateArrives(client: BoardClient, revision: number): Promise<void> {
  const hasArrived = () => client.match === undefined || client.match.revision >= revision;
  if (hasArrived()) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const stop = client.bus.onChange(() => hasArrived() && done());
    const timer = setTimeout(done, STATE_WITHIN_MS);
  });
}
