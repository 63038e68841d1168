// The browser's user and password for a daemon that is open to the network, stored and sent with each request.
import { refusalText } from "./text";

type Role = "display" | "player" | "referee";

export interface StoredUser {
  user: string;
  password: string;
  role?: Role;
  /** The name that was typed with the code. */
  name?: string;
}

const STORED = "oche.access";

/** The user of this browser; undefined on the machine itself, which needs no login. */
export function storedUser(): StoredUser | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? "null") as Partial<StoredUser> | null;
    if (typeof kept?.user === "string" && typeof kept.password === "string") return kept as StoredUser;
  } catch {
    // Anything but JSON was not written by this page.
  }
  return undefined;
}

/** Stores the user of this browser, until another one logs in. */
export function storeUser(found: StoredUser): void {
  localStorage.setItem(STORED, JSON.stringify(found));
}

/** The headers with the user's credentials. */
export function credentials(): Record<string, string> {
  const me = storedUser();
  if (!me) return {};
  // `btoa` accepts only characters of one byte; RFC 7617 uses UTF-8.
  const bytes = new TextEncoder().encode(`${me.user}:${me.password}`);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

interface Refused {
  reason?: string;
  message?: string;
}

/** Whether this browser has the referee's rights: on the machine itself, or by its user. The daemon checks it again. */
export function isReferee(): boolean {
  const me = storedUser();
  return me === undefined || (me.role ?? "referee") === "referee";
}

/** Confirms or removes unconfirmed users; returns the message if that was refused. */
export async function decide(decision: { confirm?: string[]; remove?: string[] }): Promise<string | undefined> {
  try {
    const headers = credentials();
    const answer = await fetch("/unconfirmed", { method: "POST", headers, body: JSON.stringify(decision) });
    if (answer.ok) return undefined;
    return refusalText((await answer.json()) as Refused) || String(answer.status);
  } catch (error) {
    return String(error);
  }
}

/** Logs in with a code, typed with or without its gap; returns the message if that was refused. */
export async function pair(code: string, name: string): Promise<StoredUser | string> {
  try {
    const answer = await fetch("/pair", {
      method: "POST",
      body: JSON.stringify({ code: code.replace(/\s/g, ""), name }),
    });
    const found = (await answer.json()) as StoredUser & Refused;
    return answer.ok
      ? name.trim() === ""
        ? found
        : { ...found, name: name.trim() }
      : refusalText(found, "pair") || String(answer.status);
  } catch (error) {
    return String(error);
  }
}
