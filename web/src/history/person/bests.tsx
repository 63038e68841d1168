// The best legs, checkouts and what other games list, each with its match; the awards.
import { t, maybe } from "../../text";
import type { BestOne, Person } from "../request";
import { shortDate } from "../words";

export function Bests({ bests }: { bests: Person["bests"] }) {
  const kinds = [...new Set(["leg", "checkout", ...Object.keys(bests)])];
  if (Object.keys(bests).length === 0) return null;
  return (
    <section class="bests">
      <h2>{t("past.bests")}</h2>
      <div class="two">
        {kinds.map(
          (kind) =>
            bests[kind] && (
              <List
                key={kind}
                title={maybe(`past.bests.${kind}`) ?? kind.replaceAll("_", " ")}
                some={bests[kind]}
                text={kind === "leg" ? (n) => t("past.darts", { n }) : String}
              />
            ),
        )}
      </div>
    </section>
  );
}

function List({ title, some, text }: { title: string; some: BestOne[]; text: (value: number) => string }) {
  return (
    <div>
      <h3>{title}</h3>
      <ol>
        {some.map(({ value, match, started }, i) => (
          <li key={`${i} ${match}`}>
            <a href={`/history/${match}`}>
              <b>{text(value)}</b> <time dateTime={started}>{shortDate(started)}</time>
            </a>
          </li>
        ))}
      </ol>
    </div>
  );
}

export function Awards({ awards }: { awards: Record<string, number> }) {
  const some = Object.entries(awards).sort(([, a], [, b]) => b - a);
  return (
    <section class="awards">
      <h2>{t("past.awards")}</h2>
      <ul>
        {some.map(([award, n]) => (
          <li key={award}>
            <b>{n}</b> {maybe(`award.${award}`) ?? award.replaceAll("_", " ")}
          </li>
        ))}
      </ul>
    </section>
  );
}
