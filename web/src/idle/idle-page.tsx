// A board without a match: an invitation. What to do stands still; the evening's news change slowly below it.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { isReferee } from "../access";
import { Dartboard } from "../board/dartboard";
import { type BoardClient } from "../board-client";
import type { Geometry } from "../geometry";
import { controlOf, isOnlyLocal } from "../pages/join";
import { QrCode } from "../pages/qr";
import { inHalves, t } from "../text";
import { Brand, venue } from "../venue";
import { useCards } from "./cards";
import { isNight } from "./tonight";

/** How long a bed of the board is lit, and how long a card is shown. */
const LIT_MS = 4000;
const CARD_MS = 12_000;
const MINUTE_MS = 60_000;

export function IdlePage({ client, geometry }: { client: BoardClient; geometry: Geometry }) {
  const beat = useBeat(LIT_MS, calm);
  const night = useNight();
  const number = geometry.numbers[(7 * beat) % geometry.numbers.length];
  const lit = calm ? undefined : `${beat % 2 ? "D" : "T"}${number}`;
  return (
    <>
      <section class={night ? "board-place resting night" : "board-place resting"}>
        <Dartboard geometry={geometry} aimed={lit} stuck={client.status?.stuck} />
      </section>
      {client.live ? <Invitation client={client} night={night} /> : <h1 class="spoken">{client.board}</h1>}
    </>
  );
}

/** Whether this person wants nothing to move. */
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;

function Invitation({ client, night }: { client: BoardClient; night: boolean }) {
  const address = controlOf(client);
  const { pairing } = client;
  const { idle } = venue();
  return (
    <section class={night ? "panel empty night" : "panel empty"}>
      <Brand />
      <h1>{t("empty.title")}</h1>
      {idle && <p class="idle-words">{idle}</p>}
      <div class="invitation">
        {!isOnlyLocal(client) && <QrCode text={address} />}
        <div>
          <p>{t(isOnlyLocal(client) ? "empty.here" : pairing ? "empty.join" : "empty.tv")}</p>
          <p class="address">
            <a href={address}>{address.replace(/^https?:\/\//, "").replace(/\?.*/, "")}</a>
          </p>
          {!isReferee() && <p>{t("empty.ask")}</p>}
          {pairing && <p class="code">{t("pair.shown", { code: inHalves(pairing.code) })}</p>}
        </div>
      </div>
      <Cards />
    </section>
  );
}

function Cards() {
  const cards = useCards();
  const beat = useBeat(CARD_MS, false);
  const card = cards[beat % Math.max(1, cards.length)];
  return (
    <div class="idle-cards">
      {card && (
        <Card title={card.title} key={card.key}>
          {card.body}
        </Card>
      )}
    </div>
  );
}

function Card({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="idle-card">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** A number that grows by one each `ms`. */
function useBeat(ms: number, still: boolean): number {
  const [beat, setBeat] = useState(0);
  useEffect(() => {
    if (still) return undefined;
    const timer = setInterval(() => setBeat((n) => n + 1), ms);
    return () => clearInterval(timer);
  }, [ms, still]);
  return beat;
}

/** Whether it is night by this screen's clock. */
function useNight(): boolean {
  const [night, setNight] = useState(() => isNight(venue().night, new Date()));
  useEffect(() => {
    const timer = setInterval(() => setNight(isNight(venue().night, new Date())), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return night;
}
