// Playing cards. The suits are drawn, so that they look the same on every machine; colour is never the only sign.
import { t } from "../text";

const SUITS: Record<string, string> = {
  H: "M0 9C-5 4-10 1-10-4-10-9-3-10 0-5 3-10 10-9 10-4 10 1 5 4 0 9Z",
  D: "M0-10 8 0 0 10-8 0Z",
  S: "M0-10C5-5 10-2 10 3 10 7 4 8 1 4L3 10H-3L-1 4C-4 8-10 7-10 3-10-2-5-5 0-10Z",
  C: "M0-10A5 5 0 0 1 4-2 5 5 0 1 1 1 5L3 10H-3L-1 5A5 5 0 1 1-4-2 5 5 0 0 1 0-10Z",
};

/** The rank as printed on a card: `T` is the ten. */
export function rankName(rank: string): string {
  return rank === "T" ? "10" : rank;
}

export function isRed(card: string): boolean {
  return /[HD]$/.test(card);
}

/** A card in words, for screen readers. */
export function cardName(card: string): string {
  const suits = { C: "card.clubs", D: "card.diamonds", H: "card.hearts", S: "card.spades" } as const;
  const suit = suits[card.slice(-1) as keyof typeof suits];
  return suit ? `${rankName(card.slice(0, -1))} ${t(suit)}` : card;
}

export function Card({ card, wild = false }: { card: string; wild?: boolean }) {
  return (
    <span class={["card-face", isRed(card) && "red", wild && "wild-card"].filter(Boolean).join(" ")}>
      <span class="spoken">{cardName(card)}</span>
      <b aria-hidden="true">{rankName(card.slice(0, -1))}</b>
      <svg viewBox="-11 -11 22 22" aria-hidden="true">
        <path d={SUITS[card.slice(-1)]} />
      </svg>
    </span>
  );
}
