// A player's card, on their page: a referee makes, prints and revokes it, and writes it to an NFC tag.
import { useEffect, useRef, useState } from "preact/hooks";
import { cardLink, hasCard, makeCard, originForPhones, revokeCard } from "../../card";
import { canTouch, writeTag } from "../../control/card-reader";
import { QrCode } from "../../pages/qr";
import { t } from "../../text";

export function Card({ name }: { name: string }) {
  const [has, setHas] = useState<boolean>();
  const [league, setLeague] = useState(false);
  const [link, setLink] = useState<string>();
  const [problem, setProblem] = useState<string>();
  const [said, setSaid] = useState<string>();
  const end = useRef(new AbortController());
  useEffect(() => {
    void hasCard(name).then((found) => {
      setHas(found?.own);
      setLeague(found?.league === true);
    });
    return () => end.current.abort();
  }, []);
  const make = async () => {
    const { card, problem } = await makeCard(name);
    setSaid(undefined);
    setProblem(problem);
    if (card === undefined) return;
    setHas(true);
    setLink(cardLink(card, await originForPhones()));
  };
  const revoke = async () => {
    const problem = await revokeCard(name);
    setProblem(problem);
    if (problem !== undefined) return;
    setHas(false);
    setLeague(false);
    setLink(undefined);
  };
  const write = async (link: string) => {
    setSaid(t("card.touch"));
    try {
      await writeTag(link, end.current.signal);
      setSaid(t("card.written"));
    } catch (error) {
      setSaid(t("card.refused", { why: String(error) }));
    }
  };
  return (
    <section class="player-card">
      <h2>{t("card")}</h2>
      <p>{t(link ? "card.keep" : has ? "card.has" : "card.help")}</p>
      {league && <p>{t("card.league")}</p>}
      {link && (
        <figure>
          <QrCode text={link} />
          <figcaption>{name}</figcaption>
        </figure>
      )}
      <div class="card-buttons">
        <button disabled={has === undefined} onClick={() => void make()}>
          {t(has ? "card.again" : "card.make")}
        </button>
        {link && <button onClick={() => window.print()}>{t("card.print")}</button>}
        {link && canTouch() && <button onClick={() => void write(link)}>{t("card.write")}</button>}
        {(has || league) && <button onClick={() => void revoke()}>{t("card.revoke")}</button>}
      </div>
      <p role="status">{said}</p>
      <p role="alert" class="problem">
        {problem}
      </p>
    </section>
  );
}
