// What a player has reached for good, each with its match; the newest first.
import { language, t } from "../../text";
import type { Earned } from "../request";
import { shortDate } from "../words";

export function Achievements({ earned }: { earned: Earned[] }) {
  return (
    <section class="achievements">
      <h2>{t("past.achievements")}</h2>
      <ul>
        {earned.map(({ key, title, match, started }) => (
          <li key={key}>
            <a href={`/history/${match}`}>
              <b>{title[language] ?? key}</b> <time dateTime={started}>{shortDate(started)}</time>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
