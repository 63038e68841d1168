// The players of a new match in throwing order; each is a person, or a bot with a skill.
import type { Skill } from "../result/rematch";
import { t } from "../text";
import { CardScan } from "./card-scan";
import { shuffled, withPerson } from "./people";
import { SkillField, USUAL } from "./skill";

export interface Seat {
  name: string;
  /** How it throws, if it is a bot. */
  bot?: Skill;
  /** Where they throw, if that is another board than the one that starts the match. */
  board?: string;
}

interface Props {
  seats: Seat[];
  most: number;
  /** The default name of each player. */
  names: string[];
  /** People who have played here, the last ones first. */
  known: string[];
  here: string;
  /** The boards to choose from. */
  boards: string[];
  /** Whether legs are played that a ghost can throw again. */
  legs: boolean;
  /** Why there can be no more players. */
  full: string | undefined;
  onChange: (seats: Seat[]) => void;
}

export function Seats({ seats, most, names, known, here, boards, legs, full, onChange }: Props) {
  const put = (i: number, seat: Seat) => onChange(seats.map((other, j) => (i === j ? seat : other)));
  const others = known.filter((name) => !seats.some((seat) => seat.name.trim() === name));
  return (
    <fieldset class="seats">
      <legend>{t("start.players")}</legend>
      <CardScan
        onPlayer={(name) => seats.some((seat) => seat.name.trim() === name) || onChange(withPerson(seats, name, most))}
      />
      {others.length > 0 && (
        <div class="people" role="group" aria-label={t("start.people")}>
          {others.map((name) => (
            <button type="button" key={name} onClick={() => onChange(withPerson(seats, name, most))}>
              {name}
            </button>
          ))}
        </div>
      )}
      <ol>
        {seats.map((seat, i) => (
          <li key={i}>
            <input
              aria-label={t("start.player", { n: i + 1 })}
              placeholder={names[i]}
              value={seat.name}
              maxLength={24}
              autocomplete="off"
              onInput={(event) => put(i, { ...seat, name: event.currentTarget.value })}
            />
            <label class="toggle">
              <input
                type="checkbox"
                checked={seat.bot !== undefined}
                onChange={(event) => put(i, event.currentTarget.checked ? { ...seat, bot: USUAL } : withoutBot(seat))}
              />
              <span>{t("start.bot")}</span>
            </label>
            <button
              type="button"
              class="quiet bare"
              aria-label={t("start.remove", { name: names[i] ?? "" })}
              disabled={seats.length === 1}
              onClick={() => onChange(seats.filter((_, j) => j !== i))}
            >
              ✕
            </button>
            {boards.length > 1 && (
              <select
                class="at-board"
                aria-label={t("start.board", { name: names[i] ?? "" })}
                value={boardOf(seat, boards, here)}
                onChange={(event) => put(i, { ...seat, board: event.currentTarget.value })}
              >
                {boards.map((board) => (
                  <option key={board}>{board}</option>
                ))}
              </select>
            )}
            {seat.bot !== undefined && (
              <SkillField
                name={names[i] ?? ""}
                skill={seat.bot}
                people={known}
                legs={legs}
                onChange={(bot) => put(i, { ...seat, bot })}
              />
            )}
          </li>
        ))}
      </ol>
      <div class="row">
        <button
          type="button"
          class="quiet"
          disabled={full !== undefined}
          onClick={() => onChange([...seats, { name: "" }])}
        >
          + {t("start.add")}
        </button>
        <button
          type="button"
          class="quiet"
          disabled={seats.length < 2}
          // An empty name is one by its place: the places are made names, so that they move too.
          onClick={() => onChange(shuffled(seats.map((seat, i) => ({ ...seat, name: names[i] ?? seat.name }))))}
        >
          {t("start.shuffle")}
        </button>
      </div>
      {full !== undefined && <p class="full">{full}</p>}
    </fieldset>
  );
}

/** Where each player throws. A board that is not there any more is forgotten. */
export function boardsOf(seats: Seat[], boards: string[], here: string): string[] {
  return seats.map((seat) => boardOf(seat, boards, here));
}

/** Why the match cannot be started at this board: everybody throws elsewhere. */
export function nobodyHere(seats: Seat[], boards: string[], here: string): string | undefined {
  return boardsOf(seats, boards, here).includes(here) ? undefined : t("start.nobody_here", { board: here });
}

function boardOf({ board }: Seat, boards: string[], here: string): string {
  return board !== undefined && boards.includes(board) ? board : here;
}

function withoutBot({ bot: _, ...person }: Seat): Seat {
  return person;
}
