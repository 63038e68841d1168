// How rules are said: names of what they can contain, and a sentence for each condition and each output.
import { gameTitle } from "../game-title";
import { maybe } from "../text";
import type { Condition, Output, Rule, When } from "./rule";
import { maybeWord, w } from "./words";

export function eventName(event: string): string {
  return maybeWord(`event.${event}`) ?? event;
}

export function awardName(award: string): string {
  return maybe(`award.${award}`) ?? award;
}

/** The conditions of a rule, each as its label and its value. */
export function whenTexts(when: When): [string, string][] {
  return Object.entries(when).map(([key, value]) => [
    maybeWord(`when.${key}`) ?? key,
    valueText(key as Condition, value as When[Condition]),
  ]);
}

function valueText(key: Condition, value: When[Condition]): string {
  if (key === "bot") return w(value ? "when.bot.true" : "when.bot.false");
  if (!Array.isArray(value)) return String(value);
  if (key === "range" || key === "need" || key === "marks") {
    const [low, high] = value;
    return low === high ? String(low) : `${low} – ${high}`;
  }
  const name = { event: eventName, award: awardName, game: gameTitle }[key as string] ?? String;
  return value.map((one) => name(String(one))).join(", ");
}

/** What a rule does, each as the name of its output and what is sent. */
export function thenTexts(rule: Rule): [string, string][] {
  const lights = (rule.wled ?? []).map((light) => {
    const shown = light.off
      ? w("wled.kind.off")
      : [
          light.preset !== undefined && `${w("wled.preset")} ${light.preset}`,
          light.effect !== undefined && `${w("wled.effect")} ${light.effect}`,
          light.color,
          light.seconds !== undefined && `${light.seconds} s`,
        ];
    return ["wled", [light.at.replace(/^https?:\/\//, ""), shown].flat().filter(Boolean).join(" · ")];
  });
  const rows: [string, string | undefined][] = [
    ...(lights as [string, string][]),
    ["sound", rule.sound],
    ["picture", rule.picture],
    ["words", rule.words],
    ...(rule.http ?? []).map(({ url }): [string, string] => ["http", url]),
    ...(rule.mqtt ?? []).map(({ topic }): [string, string] => ["mqtt", topic]),
  ];
  return rows.flatMap(([output, text]) => (text === undefined ? [] : [[w(output as Output), text]]));
}
