// What is possible now in Dart Wars: places in reach, attacks with what they cost, the darts of a combat.
import { type Geometry, mapFace } from "../geometry";
import { dartName, t } from "../text";
import { Sign } from "./armies";
import { enemiesIn, homelandOf, reachOf } from "./dart-wars-front";
import { type DartWars, titleOf } from "./dart-wars-map";

/** More names than these are counted. */
const NAMED = 5;

interface Props {
  match: DartWars;
  geometry: Geometry;
}

/** Always there, so that nothing moves. */
export function News(props: Props) {
  const { match, geometry } = props;
  if (match.turn.combat) return <Combat {...props} />;
  const lines = linesOf(match, geometry);
  return (
    <section class="news">
      <h2>{headingOf(match)}</h2>
      <dl>
        {/* By place: a line that others replace does not move. */}
        {lines.map(({ label, names, alarm }, i) => (
          <div key={i} class={alarm ? "alarm" : undefined}>
            <dt>{label}</dt>
            <dd>{inList(names)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function headingOf({ turn, finished }: DartWars): string {
  const ready = Object.values(turn.ready).reduce((sum, count) => sum + count, 0);
  if (finished) return t("wars.quiet");
  switch (turn.phase) {
    case "throws":
      return t("wars.reach");
    case "moves":
      return t("wars.ready", { n: ready });
    case "combats":
      return t("wars.attacks");
    case "order":
      return t("wars.about.order");
    case "homelands":
    case "border":
      return t("wars.about.homelands");
    default:
      return t("wars.quiet");
  }
}

interface Line {
  label: string;
  names: string[];
  alarm?: boolean;
}

function linesOf(match: DartWars, geometry: Geometry): Line[] {
  const { turn, visited } = match;
  const face = mapFace(geometry, match.face);
  if (!face || match.finished) return [];
  const title = (zone: string) => titleOf(geometry, match, zone);
  const held = (zone: string) => {
    const names = enemiesIn(match, zone, turn.player);
    return names.length > 0 ? `${title(zone)} (${names.join(", ")})` : title(zone);
  };
  const pending: Line[] = Object.entries(turn.attacks).map(([zone, count]) => {
    const against = enemiesIn(match, zone, turn.player);
    const home = homelandOf(match, zone, against[0] ?? "");
    const cost = home === undefined ? t("wars.cost.joins") : t("wars.cost.removed", { name: home });
    return { label: `${held(zone)}${count > 1 ? ` ×${count}` : ""}`, names: [cost], alarm: true };
  });
  const lines: Line[] = [];
  if (turn.phase === "throws") {
    const { free, attacks } = reachOf(match, face);
    lines.push({ label: t("wars.reach.free"), names: free.map(title) });
    lines.push({ label: t("wars.reach.attack"), names: attacks.map(({ zone }) => held(zone)) });
  }
  if (turn.phase === "moves") {
    const goals = [...new Set(turn.moves.flatMap(({ move }) => move.to ?? turn.targets[move.dart - 1]?.[0] ?? []))];
    const attacks = goals.filter((zone) => enemiesIn(match, zone, turn.player).length > 0);
    const owed = new Set(turn.owed.flatMap((dart) => turn.targets[dart - 1] ?? []));
    const gains = goals.filter((zone) => face.places[zone]?.land && !visited.includes(zone) && !attacks.includes(zone));
    const others = goals.filter((zone) => !attacks.includes(zone) && !gains.includes(zone));
    lines.push({ label: t("wars.must"), names: attacks.filter((zone) => owed.has(zone)).map(held), alarm: true });
    lines.push({ label: t("wars.reach.free"), names: gains.map(title) });
    lines.push({
      label: t("wars.may"),
      names: [...attacks.filter((zone) => !owed.has(zone)).map(held), ...others.map(title)],
    });
  }
  return [...lines, ...pending].filter(({ names }) => names.length > 0).slice(0, 3);
}

function inList(names: string[]): string {
  const more = names.length - NAMED;
  return [...names.slice(0, NAMED), ...(more > 0 ? [`+${more}`] : [])].join(", ");
}

/** Who throws at the bull for what, and what the loser loses. */
function Combat({ match, geometry }: Props) {
  const { turn, players } = match;
  const { combat } = turn;
  if (!combat) return null;
  const sides = [combat.attacker, combat.defender ?? combat.against];
  const home = homelandOf(match, combat.zone, combat.defender ?? combat.against);
  return (
    <section class="news fight" aria-label={t("wars.combat")}>
      <h2>{t("wars.combat.in", { zone: titleOf(geometry, match, combat.zone) })}</h2>
      <ol>
        {sides.map((name) => (
          <li key={name} class={name === turn.actor && turn.awaits === "throw" ? "active" : ""}>
            <Sign seat={players.findIndex((player) => player.name === name)} />
            <span class="text">{name}</span>
            <b>{combat.darts?.[name] === undefined ? "–" : dartName(combat.darts[name])}</b>
          </li>
        ))}
      </ol>
      <p>{home === undefined ? t("wars.cost.joins") : t("wars.cost.removed", { name: home })}</p>
    </section>
  );
}
