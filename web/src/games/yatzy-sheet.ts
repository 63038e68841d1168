// The sheet of Yatzy-Dart: its categories, and what a player has filled in.
import type { Player } from "../match";
import { type Key, t } from "../text";
import type { Fact } from "./words/view";

export interface YatzyPlayer extends Player {
  sheet: Record<string, number>;
  upper: number;
  bonus: number;
}

export const UPPER = ["aces", "twos", "threes", "fours", "fives", "sixes"] as const;
export const LOWER = [
  "pair",
  "two_pairs",
  "three_of_a_kind",
  "villa",
  "single_straight",
  "double_straight",
  "triple_straight",
  "yatzy",
  "chance",
] as const;
export type Category = (typeof UPPER)[number] | (typeof LOWER)[number];

/** The sheet as labels and values. */
export function filledIn({ sheet, upper, bonus }: YatzyPlayer): Fact[] {
  const line = (category: Category) => ({ label: categoryName(category), value: String(sheet[category] ?? "–") });
  const sum = (label: string, value: number) => ({ label, value: String(value) });
  return [...UPPER.map(line), sum(t("yatzy.upper"), upper), sum(t("yatzy.bonus"), bonus), ...LOWER.map(line)];
}

export function categoryName(category: Category): string {
  return t(`yatzy.${category}` as Key);
}
