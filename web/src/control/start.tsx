// The form that starts a match: which game, who plays, which of them are bots, and the game's options.
import { useEffect, useState } from "preact/hooks";
import { maybe, t } from "../text";
import { type Option, OptionField } from "./option";
import { type Seat, Seats } from "./seats";

interface GameAbout {
  name: string;
  title: string;
  /** Minimum and maximum. */
  players: [number, number];
  options: Option[];
}

export interface StartCommand {
  game: string;
  players: string[];
  options: Record<string, unknown>;
  bots?: Record<string, number>;
}

interface Props {
  disabled: boolean;
  onStart: (start: StartCommand) => void;
  onCancel?: (() => void) | undefined;
}

const STORED = "oche.start";

/** The last match of this browser, as the default for the next. */
interface Last {
  game: string;
  seats: Seat[];
  options: Record<string, Record<string, unknown>>;
}

function last(): Last {
  const fresh: Last = { game: "", seats: [{ name: "" }, { name: "" }], options: {} };
  try {
    return { ...fresh, ...(JSON.parse(localStorage.getItem(STORED) ?? "{}") as Partial<Last>) };
  } catch {
    return fresh;
  }
}

export function StartForm({ disabled, onStart, onCancel }: Props) {
  const [games, setGames] = useState<GameAbout[]>();
  const [{ game, seats, options }, setForm] = useState(last);
  useEffect(() => {
    fetch("/games.json")
      .then((answer) => answer.json() as Promise<GameAbout[]>)
      .then(setGames, () => setGames([]));
  }, []);
  if (!games) return <main class="start" aria-busy="true" />;
  const chosen = games.find(({ name }) => name === game) ?? games[0];
  if (!chosen) return <main class="start">{t("start.nogames")}</main>;
  const given = options[chosen.name] ?? {};
  const players = seats.map((seat, i) => seat.name.trim() || nameFor(seat, i));
  const [fewest, most] = chosen.players;

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!chosen) return;
    const bots = Object.fromEntries(seats.flatMap(({ bot }, i) => (bot ? [[players[i], bot]] : [])));
    localStorage.setItem(STORED, JSON.stringify({ game: chosen.name, seats, options } satisfies Last));
    const start = { game: chosen.name, players, options: given };
    onStart(Object.keys(bots).length > 0 ? { ...start, bots } : start);
  }

  return (
    <main class="start">
      <form onSubmit={submit}>
        <h2>{t("start.title")}</h2>
        <fieldset class="games">
          <legend>{t("start.game")}</legend>
          {games.map(({ name, title }) => (
            <label key={name} class="choice">
              <input
                type="radio"
                name="game"
                checked={name === chosen.name}
                onChange={() => setForm({ game: name, seats, options })}
              />
              <span>{maybe(`game.${name}`) ?? title}</span>
            </label>
          ))}
        </fieldset>
        <Seats seats={seats} most={most} names={players} onChange={(to) => setForm({ game, seats: to, options })} />
        <details class="options">
          <summary>{t("start.options")}</summary>
          {chosen.options.map((option) => (
            <OptionField
              key={`${chosen.name}-${option.name}`}
              option={option}
              game={chosen.name}
              players={players}
              value={given[option.name]}
              onChange={(value) => {
                const { [option.name]: _, ...others } = given;
                const changed = value === undefined ? others : { ...others, [option.name]: value };
                setForm({ game, seats, options: { ...options, [chosen.name]: changed } });
              }}
            />
          ))}
        </details>
        <div class="go">
          {onCancel && (
            <button type="button" class="quiet" onClick={onCancel}>
              {t("control.cancel")}
            </button>
          )}
          <button type="submit" class="primary big" disabled={disabled || seats.length < fewest || seats.length > most}>
            {t("start.go")}
          </button>
        </div>
      </form>
    </main>
  );
}

/** The default for an empty name. */
function nameFor(seat: Seat, i: number): string {
  return t(seat.bot ? "start.bot.name" : "start.player", { n: i + 1 });
}
