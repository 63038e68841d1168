// The form that starts a match: which game, who plays, which of them are bots, and the game's options.
import { useEffect, useState } from "preact/hooks";
import { storedUser } from "../access";
import type { Reply } from "../match";
import type { StartCommand } from "../result/rematch";
import { setStored } from "../storage";
import { t } from "../text";
import { type Can, type GameAbout, loadGames, unplayable } from "./catalogue";
import { FairHandicap, HANDICAP, POINTS } from "./fair";
import { fullTable, wrongOption, wrongSeats } from "./fits";
import { Formats } from "./formats";
import { GameChooser } from "./games";
import { type Further, inFormat, ofThesePlayers } from "./in-format";
import { OptionField } from "./option";
import { knownPeople } from "./people";
import { KeepButton, type Preset, Presets, useSaved } from "./presets";
import { Quick } from "./quick";
import { boardsOf, nobodyHere, type Seat, Seats } from "./seats";
import { botName } from "./skill";

interface Props {
  disabled: boolean;
  /** Why this user cannot start a match; undefined if they can. */
  why: string | undefined;
  can: Can;
  /** The board that is told to start. */
  here: string;
  /** Where a player can throw. */
  boards: string[];
  onStart: (start: StartCommand) => void;
  /** Asks for the handicap with which a match is fair. */
  onFair: (start: StartCommand) => Promise<Reply | undefined>;
  onCancel?: (() => void) | undefined;
}

const STORED = "oche.start";
const FAVOURITES = "oche.favourites";

/** How many of the last games are offered first. */
const RECENT = 6;

/** The last match of this browser, as the default for the next. */
interface Last {
  game: string;
  recent: string[];
  seats: Seat[];
  options: Record<string, Record<string, unknown>>;
}

function last(): Last {
  // The one whose phone this is plays, most likely.
  const fresh: Last = { game: "", recent: [], seats: [{ name: storedUser()?.name ?? "" }, { name: "" }], options: {} };
  try {
    return { ...fresh, ...(JSON.parse(localStorage.getItem(STORED) ?? "{}") as Partial<Last>) };
  } catch {
    return fresh;
  }
}

function storedFavourites(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(FAVOURITES) ?? "[]");
    return Array.isArray(stored) ? stored.map(String) : [];
  } catch {
    return [];
  }
}

export function StartForm({ disabled, why: refused, can, here, boards, onStart, onFair, onCancel }: Props) {
  const [games, setGames] = useState<GameAbout[]>();
  const [{ game, recent, seats, options }, setForm] = useState(last);
  const [favourites, setFavourites] = useState(storedFavourites);
  const [further, setFurther] = useState<Further>([]);
  const [known, setKnown] = useState<string[]>([]);
  const saved = useSaved();
  // Asked again after the connection was lost: only a failure is forgotten.
  useEffect(() => void loadGames().then(setGames), [disabled]);
  useEffect(() => void knownPeople().then(setKnown), []);
  if (!games) return <main class="start" aria-busy="true" />;
  const chosen = games.find(({ name }) => name === game) ?? games[0];
  if (!chosen) return <main class="start">{t("start.nogames")}</main>;
  const given = options[chosen.name] ?? {};
  const players = seats.map((seat, i) => seat.name.trim() || nameFor(seat, i));
  // What is given for a player is for a side: with teams, for the first player of each.
  const sides = typeof given.teams === "number" ? players.slice(0, given.teams) : players;
  const [, most] = chosen.players;
  const { [HANDICAP]: _, [POINTS]: __, ...withoutHandicap } = given;
  const offersFair = sides.length === 2 && further.length === 0 && chosen.options.some(({ name }) => name === HANDICAP);
  const now: Preset = { game: chosen.name, options: given, further };
  const why =
    refused ??
    unplayable(chosen, can) ??
    wrongSeats(chosen, players) ??
    wrongOption(chosen, given, sides, players) ??
    nobodyHere(seats, boards, here);

  function like(name: string) {
    const others = favourites.filter((other) => other !== name);
    const liked = others.length < favourites.length ? others : [...favourites, name];
    setFavourites(liked);
    setStored(FAVOURITES, JSON.stringify(liked));
  }

  function change(name: string, value: unknown) {
    changeAll({ [name]: value });
  }

  /** Undefined is what the game usually has. */
  function changeAll(values: Record<string, unknown>) {
    if (!chosen) return;
    const changed = Object.fromEntries(
      Object.entries({ ...given, ...values }).filter(([, value]) => value !== undefined),
    );
    setForm({ game, recent, seats, options: { ...options, [chosen.name]: changed } });
  }

  function choose({ game: name, options: kept, further: more }: Preset) {
    setForm({ game: name, recent, seats, options: { ...options, [name]: kept } });
    setFurther(more);
  }

  function asked(about: GameAbout, played: Record<string, unknown>): StartCommand {
    const bots = Object.fromEntries(seats.flatMap(({ bot }, i) => (bot ? [[players[i], bot]] : [])));
    const sent = ofThesePlayers(about, played, sides);
    const start = inFormat({ game: about.name, players, options: sent }, about, further);
    return { ...start, ...(Object.keys(bots).length > 0 && { bots }) };
  }

  function submit(event: SubmitEvent) {
    event.preventDefault();
    if (!chosen) return;
    const lately = [chosen.name, ...recent.filter((name) => name !== chosen.name)].slice(0, RECENT);
    const stored: Last = { game: chosen.name, recent: lately, seats, options };
    setStored(STORED, JSON.stringify(stored));
    const theirs = boardsOf(seats, boards, here);
    onStart({
      ...asked(chosen, given),
      ...(theirs.some((board) => board !== here) && { boards: theirs }),
    });
  }

  return (
    <main class="start">
      {/* What is wrong is said below; a browser would point at fields that are folded away. */}
      <form onSubmit={submit} noValidate>
        <h2>{t("start.title")}</h2>
        <Presets games={games} presets={saved.presets} now={now} onChoose={choose} />
        <GameChooser
          games={games}
          chosen={chosen}
          recent={recent}
          favourites={favourites}
          seats={seats.length}
          can={can}
          onChoose={(name) => setForm({ game: name, recent, seats, options })}
          onFavourite={like}
        />
        <Quick game={chosen} given={given} medley={further.length > 0} onChange={change} />
        <Seats
          seats={seats}
          most={most}
          names={players}
          known={known}
          here={here}
          boards={boards}
          legs={chosen.name === "x01"}
          full={fullTable(chosen, seats.length)}
          onChange={(to) => setForm({ game, recent, seats: to, options })}
        />
        <details class="options">
          <summary>{t("start.options")}</summary>
          {chosen.options.map((option) => (
            <OptionField
              key={`${chosen.name}-${option.name}`}
              option={option}
              game={chosen.name}
              players={sides}
              value={given[option.name]}
              onChange={(value) => change(option.name, value)}
            />
          ))}
        </details>
        {offersFair && (
          <FairHandicap start={asked(chosen, withoutHandicap)} given={given} ask={onFair} onFill={changeAll} />
        )}
        <Formats {...{ games, chosen, players, given, further }} onChange={change} onFurther={setFurther} />
        <KeepButton {...saved} now={now} />
        <p class="why" role="status">
          {why}
        </p>
        <div class="go">
          {onCancel && (
            <button type="button" class="quiet" onClick={onCancel}>
              {t("control.cancel")}
            </button>
          )}
          <button type="submit" class="primary big" disabled={disabled || why !== undefined}>
            {t("start.go")}
          </button>
        </div>
      </form>
    </main>
  );
}

/** The default for an empty name. */
function nameFor(seat: Seat, i: number): string {
  return seat.bot === undefined ? t("start.player", { n: i + 1 }) : botName(seat.bot, i + 1);
}
