// `/setup`: the first run of `oche setup`. The command itself serves this page, and asks the same in its terminal.
import { useEffect, useState } from "preact/hooks";
import { Dartboard } from "../board/dartboard";
import type { Geometry } from "../geometry";
import { dartName, type Key, t } from "../text";
import { Absent } from "./absent";
import { LanguageChoice } from "./language";
import { type Lesson, LessonView } from "./learn";
import { usePolling } from "./polling";
import { QrCode } from "./qr";
import { Form, Other, type Send } from "./setup-form";

type Step = "board" | "model" | "name" | "learn" | "dart" | "broker" | "network" | "done";

interface State {
  step: Step;
  default: string;
  port: string;
  name: string;
  model: string;
  broker: string;
  darts: string[];
  trouble: string;
  problem?: string;
  devices?: { port: string; about: string; model: string; learn: boolean }[];
  models?: { name: string; title: string; learn: boolean }[];
  lesson?: Lesson;
  ending?: { file: string; started: boolean; url: string; shared: boolean };
}

const POLL_MS = 300;
const OWN = "own";
/** The page's header: the steps of the setup. */
const PARTS: Record<Step, number> = { board: 1, model: 1, name: 1, learn: 1, dart: 1, broker: 2, network: 3, done: 4 };

export function SetupPage({ geometry }: { geometry: Geometry }) {
  const [state, setState] = useState<State>();
  const [problem, setProblem] = useState<string>();
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  const address = `/setup.json${location.search}`;
  const { isAway, setIsAway, isAbsent } = usePolling(address, POLL_MS, async (answer) => {
    const reply = (await answer.json()) as State & { message?: string };
    if (answer.ok) setState(reply);
    else setRefused(reply.message);
    return !answer.ok || reply.step === "done";
  });
  // The error of an answer is shown until the question changes.
  useEffect(() => setProblem(undefined), [state?.step]);
  if (refused) return <p class="first">{refused}</p>;
  if (!state && isAbsent) return <Absent what="setup" command="sudo oche setup --http 8081" />;
  if (!state) return <p class="first">{t("connecting")}</p>;
  const send = async (answer: string) => {
    setBusy(true);
    try {
      const body = JSON.stringify({ step: state.step, answer });
      const reply = (await (await fetch(address, { method: "POST", body })).json()) as State;
      setState(reply);
      setProblem(reply.problem);
    } catch {
      setIsAway(true);
    }
    setBusy(false);
  };
  if (state.lesson) {
    return (
      <LessonView geometry={geometry} lesson={state.lesson} isAway={isAway} send={(what) => void send(what)}>
        <button type="button" onClick={() => void send("back")}>
          {t("setup.back")}
        </button>
      </LessonView>
    );
  }
  const part = PARTS[state.step];
  return (
    <div class="page setup">
      <header class="bar">
        <p class="brand">oche</p>
        <p class="part">{part < 4 && t("setup.part", { n: part })}</p>
        <LanguageChoice />
      </header>
      <main key={state.step} aria-busy={busy}>
        <h1 aria-live="polite">{t(`setup.${state.step}` as Key, { name: state.name })}</h1>
        <Question state={state} geometry={geometry} send={(answer) => void send(answer)} />
        <p class="problem" role="alert">
          {isAway && state.step !== "done" ? t("connecting") : (problem ?? "")}
        </p>
        {state.step !== "board" && state.step !== "done" && (
          <button type="button" class="quiet" onClick={() => void send("back")}>
            {t("setup.back")}
          </button>
        )}
      </main>
    </div>
  );
}

function Question({ state, geometry, send }: { state: State; geometry: Geometry; send: Send }) {
  switch (state.step) {
    case "board":
      return <Devices state={state} send={send} />;
    case "model":
      return <Models state={state} send={send} />;
    case "name":
      return (
        <Form label={t("setup.name.label")} value={state.default} send={send}>
          <p>{t("setup.name.how")}</p>
        </Form>
      );
    case "learn":
      return (
        <>
          <p class="problem">{state.trouble}</p>
          {state.trouble && (
            <button type="button" class="primary big" onClick={() => send("")}>
              {t("setup.learn.again")}
            </button>
          )}
        </>
      );
    case "dart":
      return <TestDart state={state} geometry={geometry} send={send} />;
    case "broker":
      return <Broker state={state} send={send} />;
    case "network":
      return (
        <>
          <p>{t("setup.network.how")}</p>
          <div class="offers">
            <Choice name={t("setup.network.yes")} send={() => send("yes")} chosen={state.default === "yes"} />
            <Choice name={t("setup.network.no")} send={() => send("no")} chosen={state.default === "no"} />
          </div>
        </>
      );
    case "done":
      return <Done state={state} />;
  }
}

function Choice({ name, more, send, chosen }: { name: string; more?: string; send: () => void; chosen?: boolean }) {
  return (
    <button type="button" class={chosen ? "offer primary" : "offer"} onClick={send}>
      <b>{name}</b>
      {more && <span>{more}</span>}
    </button>
  );
}

function Devices({ state, send }: { state: State; send: Send }) {
  const devices = state.devices ?? [];
  return (
    <>
      <p class={devices.length ? "" : "waits"}>{t(devices.length ? "setup.board.which" : "setup.board.plug")}</p>
      <div class="offers">
        {devices.map(({ port, about, model, learn }) => (
          <Choice
            key={port}
            name={about || port}
            more={[model, learn && t("setup.model.learn"), port].filter(Boolean).join(" · ")}
            send={() => send(port)}
          />
        ))}
      </div>
      <Other summary={t("setup.board.other")} label={t("setup.board.address")} send={send} />
      <button type="button" class="quiet" onClick={() => send("none")}>
        {t("setup.board.none")}
      </button>
    </>
  );
}

function Models({ state, send }: { state: State; send: Send }) {
  // Models to buy or build first, then generic protocols, then boards that must be learned.
  const rank = ({ title, learn }: { title: string; learn: boolean }) => (learn ? 2 : title.startsWith("Any ") ? 1 : 0);
  const models = [...(state.models ?? [])].sort((one, other) => rank(one) - rank(other));
  return (
    <>
      <p class="place">{state.port}</p>
      <div class="offers">
        <Choice name={t("setup.model.none")} more={t("setup.model.none.how")} send={() => send("learn")} />
        {models.map(({ name, title, learn }) => (
          <Choice
            key={name}
            name={title}
            more={learn ? `${name} · ${t("setup.model.learn")}` : name}
            send={() => send(name)}
          />
        ))}
      </div>
      <Other summary={t("setup.model.file")} label={t("setup.model.path")} send={send} />
    </>
  );
}

function TestDart({ state, geometry, send }: { state: State; geometry: Geometry; send: Send }) {
  const last = state.darts.at(-1);
  return (
    <>
      <p class="heard">{last ? <output>{dartName(last)}</output> : state.trouble || t("setup.dart.throw")}</p>
      <div class="thrown">
        <Dartboard geometry={geometry} lit={last && last !== "MISS" ? { targets: [last] } : {}} />
      </div>
      <div class="row">
        <button type="button" onClick={() => send("no")}>
          {t("setup.dart.no")}
        </button>
        <button type="button" class={last ? "primary" : ""} onClick={() => send("yes")}>
          {t(last ? "setup.dart.yes" : "setup.dart.skip")}
        </button>
      </div>
    </>
  );
}

function Broker({ state, send }: { state: State; send: Send }) {
  const other = state.default === OWN ? "" : state.default;
  return (
    <>
      <p>{t("setup.broker.how")}</p>
      <div class="offers">
        <Choice
          name={t("setup.broker.own")}
          more={t("setup.broker.own.how")}
          send={() => send(OWN)}
          chosen={other === ""}
        />
      </div>
      <Other
        summary={t("setup.broker.other")}
        label={t("setup.broker.address")}
        value={other}
        hint="mqtt://homeassistant.local"
        send={send}
      />
    </>
  );
}

function Done({ state }: { state: State }) {
  const { ending } = state;
  if (!ending) return null;
  return (
    <>
      <p>{t(ending.shared ? "setup.done.shared" : "setup.done.here")}</p>
      <p>
        <a class="address" href={ending.url}>
          {ending.url}
        </a>
      </p>
      {ending.shared && <QrCode text={ending.url} />}
      <p class="place">
        {ending.started ? t("setup.done.started", { file: ending.file }) : t("setup.done.start", { file: ending.file })}
      </p>
    </>
  );
}
