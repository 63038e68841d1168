// On a referee's phone: a match with another house. Invite it, or accept its invitation; adjourn, resume, play again.
import type { TargetedEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isReferee } from "../access";
import type { BoardClient } from "../board-client";
import { gameTitle } from "../game-title";
import type { Command, Invitation, NodeStatus } from "../match";
import { rematchOf } from "../result/rematch";
import { refusalText, t } from "../text";
import { hasAdjourned } from "./adjourned";

export function Houses({ client, disabled }: { client: BoardClient; disabled: boolean }) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [said, setSaid] = useState("");
  const [made, setMade] = useState<Invitation>();
  const [looked, setLooked] = useState<Invitation>();
  const [code, setCode] = useState("");
  const [adjourned, setAdjourned] = useState(false);
  const { match } = client;
  useEffect(() => {
    if (open) void hasAdjourned(client.board, match?.match).then(setAdjourned);
  }, [open, client.board, match?.match]);
  const configured = client.bus.read<NodeStatus>(`oche/${client.node}/status`)?.houses === true;
  if (!isReferee() || !configured) return null;
  const houses = match?.houses ?? [];
  const isGuest = houses.some(({ host }) => host);
  const isHost = houses.length > 0 && !isGuest;
  const off = disabled || busy;

  async function ask(command: Command): Promise<Invitation | true | undefined> {
    setBusy(true);
    const reply = await client.command(command);
    setBusy(false);
    setSaid(reply?.ok === false ? refusalText(reply, "houses") : reply ? "" : t("control.noanswer"));
    return reply?.ok ? (reply.invitation ?? true) : undefined;
  }

  async function invite(asked: Command | true) {
    const found = await ask({ invite: asked });
    if (found && found !== true) setMade(found);
  }

  async function look(event: TargetedEvent<HTMLFormElement>) {
    event.preventDefault();
    const found = await ask({ accept: { code, look: true } });
    if (found && found !== true) setLooked(found);
  }

  async function accept() {
    if (await ask({ accept: { code } })) {
      setLooked(undefined);
      setOpen(false);
    }
  }

  function toggle() {
    setOpen(!open);
    setMade(undefined);
    setLooked(undefined);
    setSaid("");
  }

  return (
    <section class="invite houses" aria-label={t("houses")}>
      <button type="button" class="quiet" aria-expanded={open} onClick={toggle}>
        {t("houses")}
      </button>
      {open && (
        <>
          <p>{t("houses.how")}</p>
          <p class="refusal" role="alert">
            {said}
          </p>
          {made ? (
            <Made invitation={made} />
          ) : looked ? (
            <>
              <About invitation={looked} />
              <button type="button" class="primary big" disabled={off} onClick={() => void accept()}>
                {t("houses.accept")}
              </button>
            </>
          ) : (
            <>
              {isHost && match && (
                <>
                  <button type="button" disabled={off} onClick={() => void ask({ adjourn: true })}>
                    {t("houses.adjourn")}
                  </button>
                  <button type="button" disabled={off} onClick={() => void invite(true)}>
                    {t("houses.again")}
                  </button>
                </>
              )}
              {houses.length === 0 && match && match.players.length > 1 && (
                <Guests
                  names={match.players.filter(({ house }) => !house).map(({ name }) => name)}
                  disabled={off}
                  onInvite={(players, guests) => {
                    const { game, options } = rematchOf(match);
                    void invite({ game, players, options, guests });
                  }}
                />
              )}
              {adjourned && !isHost && !isGuest && (
                <button type="button" disabled={off} onClick={() => void ask({ resume: true })}>
                  {t("houses.resume")}
                </button>
              )}
              {!isHost && (
                <form onSubmit={(event) => void look(event)}>
                  <label>
                    {t("houses.code")}
                    <input
                      value={code}
                      autocapitalize="off"
                      autocomplete="off"
                      spellcheck={false}
                      onInput={(event) => setCode(event.currentTarget.value.trim())}
                    />
                  </label>
                  <button type="submit" disabled={off || code === ""}>
                    {t("houses.look")}
                  </button>
                </form>
              )}
            </>
          )}
        </>
      )}
    </section>
  );
}

/** Who of the players throws in the other house. The game is the one on the board. */
function Guests({
  names,
  disabled,
  onInvite,
}: {
  names: string[];
  disabled: boolean;
  onInvite: (players: string[], guests: string[]) => void;
}) {
  const [guests, setGuests] = useState<string[]>([]);
  return (
    <fieldset disabled={disabled}>
      <legend>{t("houses.who")}</legend>
      {names.map((name) => (
        <button
          type="button"
          key={name}
          aria-pressed={guests.includes(name)}
          onClick={() => setGuests(guests.includes(name) ? guests.filter((one) => one !== name) : [...guests, name])}
        >
          {name}
        </button>
      ))}
      <button
        type="button"
        class="primary"
        disabled={guests.length === 0 || guests.length === names.length}
        onClick={() => onInvite(names, guests)}
      >
        {t("houses.invite")}
      </button>
    </fieldset>
  );
}

function About({ invitation }: { invitation: Invitation }) {
  const { game, players, guests } = invitation;
  return <p>{t("houses.about", { game: gameTitle(game), players: players.join(", "), guests: guests.join(", ") })}</p>;
}

function Made({ invitation }: { invitation: Invitation }) {
  return (
    <>
      <About invitation={invitation} />
      <p class="code">{invitation.code}</p>
      <p>{t("houses.give")}</p>
    </>
  );
}
