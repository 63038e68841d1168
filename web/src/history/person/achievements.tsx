// What a player has reached for good, each with its match; the newest first.
import { language, t } from "../../text";
import type { Earned } from "../request";
import { shortDate } from "../words";

/** `earned` is undefined while matches are being counted. */
export function Achievements({ earned }: { earned: Earned[] | undefined }) {
  if (earned?.length === 0) return null;
  return (
    <section class="achievements">
      <h2>{t("past.achievements")}</h2>
      {earned ? <List earned={earned} /> : <p class="dust">{t("past.achievements.counting")}</p>}
    </section>
  );
}

function List({ earned }: { earned: Earned[] }) {
  return (
    <ul>
      {earned.map(({ key, title, match, started }) => (
        <li key={key}>
          <a href={`/history/${match}`}>
            <b>{title[language] ?? key}</b> <time dateTime={started}>{shortDate(started)}</time>
          </a>
        </li>
      ))}
    </ul>
  );
}
