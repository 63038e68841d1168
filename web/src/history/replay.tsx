// `/history/<match>`: a match played again. The daemon computes every state; the slider selects the one to show.
import { useEffect, useRef, useState } from "preact/hooks";
import { Dartboard } from "../board/dartboard";
import { dartLabels, Picture } from "../board/picture";
import { scoreboardOf } from "../games";
import { gameTitle } from "../game-title";
import { isActive, sidesOf } from "../games/players";
import type { Geometry } from "../geometry";
import { asPlayed, type Match } from "../match";
import { awaited, Label } from "../pages/turn";
import { points, t } from "../text";
import { type MatchRecord, saveWithName, useRequest } from "./request";
import { actionText } from "./action-text";
import { Frame } from "./frame";
import { Legs, Results } from "./legs";
import { formatOf, when } from "./words";

export function ReplayPage({ id, geometry }: { id: string; geometry: Geometry }) {
  const { value: record, problem } = useRequest<MatchRecord>(`/history/${id}.json`);
  const title = record ? gameTitle(record.game) : t("past.history");
  return (
    <Frame title={title} at="history" problem={problem}>
      {record && <Replay record={record} geometry={geometry} />}
    </Frame>
  );
}

function Replay({ record, geometry }: { record: MatchRecord; geometry: Geometry }) {
  const last = record.states - 1;
  const [at, setAt] = useState(last);
  const [playing, setPlaying] = useState(false);
  const dartByDart = useRef<HTMLHeadingElement>(null);
  const { value: found } = useRequest<Match>(`/history/${record.id}/${at}.json`);
  const match = asPlayed(found);
  useEffect(() => {
    if (!playing) return undefined;
    if (at >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => setAt(at + 1), 700);
    return () => clearTimeout(timer);
  }, [playing, at, last]);
  const go = (to: number) => {
    setPlaying(false);
    setAt(Math.max(0, Math.min(last, to)));
  };
  const watch = (state: number) => {
    setAt(state);
    setPlaying(true);
    dartByDart.current?.scrollIntoView();
  };
  const play = () => {
    if (at === last) setAt(0);
    setPlaying(!playing);
  };
  return (
    <>
      <p class="about">
        {formatOf(record) && `${formatOf(record)} · `}
        <time dateTime={record.started}>{when(record.started)}</time> · {record.players.join(", ")} ·{" "}
        {record.result === "stopped" ? t("past.early") : t(`past.${record.result ?? "going"}`)}
        {record.damaged && ` · ${t("past.damaged")}`}
      </p>
      <div class="tables">
        <Results record={record} />
        <Legs record={record} onWatch={watch} />
      </div>
      <section class="wide dart-by-dart">
        <h2 ref={dartByDart}>{t("past.replay")}</h2>
        <div class="slider">
          <button aria-label={t("past.back")} disabled={at === 0} onClick={() => go(at - 1)}>
            ‹
          </button>
          <button class="primary" onClick={play}>
            {t(playing ? "past.pause" : "past.play")}
          </button>
          <button aria-label={t("past.on")} disabled={at === last} onClick={() => go(at + 1)}>
            ›
          </button>
          <input
            type="range"
            aria-label={t("past.moment")}
            aria-valuetext={t("past.moment.of", { n: at, all: last })}
            min={0}
            max={last}
            value={at}
            onInput={(event) => go(Number(event.currentTarget.value))}
          />
          <output>{t("past.moment.of", { n: at, all: last })}</output>
        </div>
        <div class="replay">
          <div class="again">
            {match ? <Picture match={match} geometry={geometry} /> : <Dartboard geometry={geometry} />}
          </div>
          <div class="moment">
            {match && <Moment match={match} geometry={geometry} />}
            <p class="action">
              {at === 0 ? t("past.start") : actionText(record.actions[at - 1] ?? {}, match, geometry)}
            </p>
          </div>
        </div>
      </section>
      {record.result && (
        <a class="button" href={`/history/${record.id}.jsonl`} download onClick={saveWithName}>
          {t("past.export")}
        </a>
      )}
    </>
  );
}

/** The game's own scoreboard if there is room for it, else names and scores. */
function Moment({ match, geometry }: { match: Match; geometry: Geometry }) {
  const { Panel } = scoreboardOf(match.game);
  return (
    <>
      <section class="panel" data-game={match.game}>
        <Panel match={match} geometry={geometry} />
      </section>
      <table>
        <thead class="spoken">
          <tr>
            <th scope="col">{t("past.name")}</th>
            <th scope="col">{t("score")}</th>
          </tr>
        </thead>
        <tbody>
          {sidesOf(match.players).map((side) => (
            <tr key={side[0].name} class={isActive(match, side) ? "at-turn" : ""}>
              <th scope="row">
                {side.map(({ name }) => name).join(" & ")}
                {match.winners.includes(side[0].name) && " ★"}
              </th>
              <td>{points(side[0].score)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <ol class="thrown">
        {dartLabels(match, geometry).map((label, i) => (
          <li key={i} class={label === undefined ? "open" : label.long ? "long" : ""}>
            {label === undefined ? <span aria-hidden="true">{i + 1}</span> : <Label label={label} />}
          </li>
        ))}
      </ol>
      <p class="awaits">{awaited(match)}</p>
    </>
  );
}
