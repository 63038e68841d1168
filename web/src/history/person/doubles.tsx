// The doubles by number: how many darts were thrown at each, and how many hit.
import { t } from "../../text";
import { percent } from "../words";

/** With fewer darts a rate says little. */
const FEW = 5;

export function Doubles({ doubles }: { doubles: Record<string, { hit: number; thrown: number }> }) {
  // A JavaScript object lists numbers first, and upwards.
  const rows = Object.entries(doubles).sort(([a], [b]) => order(b) - order(a));
  const sum = (key: "hit" | "thrown") => rows.reduce((total, [, row]) => total + row[key], 0);
  return (
    <section class="doubles">
      <h2>{t("past.doubles")}</h2>
      <p class="dust">{t("past.doubles.help")}</p>
      <ol>
        {rows.map(([name, { hit, thrown }]) => (
          <li key={name} class={thrown < FEW ? "few" : ""}>
            <b>{name === "bull" ? t("bull") : `D${name}`}</b>
            <span class="meter" aria-hidden="true">
              <span style={{ width: `${(100 * hit) / thrown}%` }} />
            </span>
            <span class="share">{percent((100 * hit) / thrown, 0)}</span>
            <small>{t("past.doubles.of", { hit, thrown })}</small>
          </li>
        ))}
      </ol>
      <p class="sum">
        <b>{percent((100 * sum("hit")) / sum("thrown"), 1)}</b>{" "}
        {t("past.doubles.of", { hit: sum("hit"), thrown: sum("thrown") })}
      </p>
    </section>
  );
}

function order(name: string): number {
  return name === "bull" ? 25 : Number(name);
}
