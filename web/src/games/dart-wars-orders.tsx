// The controls of Dart Wars: moves by touching the map, combats, who defends, who throws first.
import { useState } from "preact/hooks";
import { TouchBoard } from "../control/touch-board";
import { bedAt } from "../geometry";
import { t } from "../text";
import { type Choice, type DartWars, MapOf, type Move, titleOf, zoneOf } from "./dart-wars-map";
import type { BorderProps, ControlProps } from "./scoreboard";

export function Orders(props: ControlProps<DartWars>) {
  const { match } = props;
  if (match.turn.candidates) return null;
  if (match.turn.phase === "moves") return <Moves key={match.turn.player} {...props} />;
  const choices = match.turn.choices.length > 0 && <Choices {...props} />;
  if (match.turn.awaits !== "throw") return choices || null;
  return (
    <>
      {choices}
      <Thrown key={match.turn.darts.length} {...props} />
    </>
  );
}

/** The phases in which a dart on the line between two places counts in both. */
const BORDERS = ["throws", "homelands"];

/** Darts without a bed: one on a border, by a touch of both sides, and a foul. */
function Thrown({ match, geometry, send, busy }: ControlProps<DartWars>) {
  const [isAsking, setIsAsking] = useState(false);
  const border = BORDERS.includes(match.turn.phase as string);
  const onPick = async (dart: unknown) => {
    if (await send({ throw: dart })) setIsAsking(false);
  };
  return (
    <fieldset class={border && isAsking ? "orders on-border" : "extras"} disabled={busy}>
      <div class="thrown-so">
        {border && (
          <button type="button" aria-pressed={isAsking} onClick={() => setIsAsking(!isAsking)}>
            {t("wars.on-border")}
          </button>
        )}
        <button type="button" onClick={() => send({ foul: true })}>
          {t("foul")}
        </button>
      </div>
      {border && isAsking && <Border match={match} geometry={geometry} busy={busy} onPick={onPick} />}
    </fieldset>
  );
}

/** The two places of a border, each by a touch. */
export function Border({ match, geometry, busy, onPick }: BorderProps<DartWars>) {
  const [side, setSide] = useState<string>();

  function touched(zone: string | undefined) {
    setSide(side === undefined ? zone : undefined);
    if (side !== undefined && zone !== undefined && zone !== side) onPick({ zone: [side, zone] });
  }

  return (
    <>
      <p role="status">
        {side === undefined ? t("wars.border.one") : t("wars.border.other", { zone: titleOf(geometry, match, side) })}
      </p>
      <TouchBoard
        disabled={busy}
        read={(x, y) => {
          const at = zoneOf(geometry, match, bedAt(geometry, x, y));
          return { label: at === undefined ? "–" : titleOf(geometry, match, at), aimed: at ?? "", dart: at };
        }}
        draw={(aimed) => <MapOf match={match} geometry={geometry} darts={[]} aimed={aimed} picked={side} />}
        onPick={(at) => touched(at as string | undefined)}
      />
    </>
  );
}

/** Moves: touch the place that a troop leaves, then the destination; or choose from a list. */
function Moves({ match, geometry, send, busy, front }: ControlProps<DartWars>) {
  const [picked, setPicked] = useState<string>();
  const [asked, setAsked] = useState<Move[]>();
  const { moves, owed } = match.turn;
  const goal = (move: Move) => move.to ?? match.turn.targets[move.dart - 1]?.[0] ?? "";
  const all = moves.map(({ move }) => move);

  async function go(move: Move) {
    setPicked(undefined);
    setAsked(undefined);
    await send({ move });
  }

  function touched(zone: string | undefined) {
    setAsked(undefined);
    if (zone === undefined) return setPicked(undefined);
    const found = picked === undefined ? [] : all.filter((move) => move.from === picked && goal(move) === zone);
    // Darts with the same effect are equivalent to the player; an attack and a pass are not.
    const different = new Set(found.map((move) => Boolean(move.pass)));
    if (found[0] && different.size === 1) return void go(found[0]);
    if (found.length > 0) return setAsked(found);
    setPicked(all.some((move) => move.from === zone) ? zone : undefined);
  }

  const same = (one: Move, other: Move) =>
    one.from === other.from && goal(one) === goal(other) && Boolean(one.pass) === Boolean(other.pass);
  // One dart of each effect is enough.
  const shown = (asked ?? (picked === undefined ? all : all.filter((move) => move.from === picked))).filter(
    (move, i, list) => list.findIndex((other) => same(move, other)) === i,
  );
  const zone = (name: string) => titleOf(geometry, match, name);
  return (
    <fieldset class="orders" disabled={busy}>
      <legend>{t("wars.moves")}</legend>
      <p>
        {owed.length > 0
          ? t("wars.owed", { darts: owed.join(", ") })
          : all.length === 0
            ? t("wars.nomoves")
            : picked === undefined
              ? t("wars.from")
              : t("wars.to", { zone: zone(picked) })}
      </p>
      <TouchBoard
        disabled={busy}
        read={(x, y) => {
          const at = zoneOf(geometry, match, bedAt(geometry, x, y));
          return { label: at === undefined ? "–" : zone(at), aimed: at ?? "", dart: at };
        }}
        front={front}
        draw={(aimed, window) => (
          <MapOf match={match} geometry={geometry} darts={[]} aimed={aimed} picked={picked} window={window} />
        )}
        onPick={(at) => touched(at as string | undefined)}
      />
      <ul class="order-list">
        {shown.map((move) => (
          <li key={`${move.dart}-${move.from}-${goal(move)}-${move.pass ?? false}`}>
            <button type="button" class={owed.includes(move.dart) ? "owed" : ""} onClick={() => go(move)}>
              <small>{t("dart", { n: move.dart })}</small>
              <span>
                {move.from === goal(move)
                  ? t("wars.attack.here", { zone: zone(move.from) })
                  : `${zone(move.from)} → ${zone(goal(move))}`}
              </span>
              {move.pass && <small>{t("wars.pass")}</small>}
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function Choices({ match, geometry, send, busy }: ControlProps<DartWars>) {
  const { phase, choices, combat } = match.turn;
  const title = {
    border: t("wars.pick.homeland"),
    combats: t("wars.pick.combat"),
    defend: t("wars.pick.defender"),
    combat: t("wars.pick.first"),
  }[phase as string];
  // With one enemy, naming the enemy makes no difference.
  const offered = choices.filter(
    (choice) =>
      !("combat" in choice) ||
      choice.combat.against !== undefined ||
      !choices.some((other) => "combat" in other && other.combat.zone === choice.combat.zone && other.combat.against),
  );
  return (
    <fieldset class="orders" disabled={busy}>
      <legend>{title ?? t("wars.moves")}</legend>
      {combat && <p>{t("wars.combat.in", { zone: titleOf(geometry, match, combat.zone) })}</p>}
      <ul class="order-list">
        {offered.map((choice) => (
          <li key={JSON.stringify(choice)}>
            <button type="button" onClick={() => send(choice as Record<string, unknown>)}>
              <Words choice={choice} title={(zone) => titleOf(geometry, match, zone)} />
            </button>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

function Words({ choice, title }: { choice: Choice; title: (zone: string) => string }) {
  if ("choose" in choice) return <span>{title(choice.choose.zone)}</span>;
  if ("defend" in choice) return <span>{choice.defend.by}</span>;
  if ("first" in choice) return <span>{choice.first}</span>;
  const { zone, against } = choice.combat;
  return <span>{against === undefined ? title(zone) : t("wars.against", { zone: title(zone), name: against })}</span>;
}
