// Who this browser is to a daemon that is open to the network: a user with a password, kept here and sent along.

type Role = "display" | "player" | "referee";

export interface LetIn {
  user: string;
  password: string;
  role?: Role;
}

const STORED = "oche.access";

/** Who was let in with this browser; nobody at the machine itself, which needs no name. */
export function letIn(): LetIn | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(STORED) ?? "null") as Partial<LetIn> | null;
    if (typeof kept?.user === "string" && typeof kept.password === "string") return kept as LetIn;
  } catch {
    // What is no JSON was not written here.
  }
  return undefined;
}

/** Remembers who was let in with this browser, until somebody else is. */
export function keepAccess(found: LetIn): void {
  localStorage.setItem(STORED, JSON.stringify(found));
}

/** What a request says of who asks. */
export function credentials(): Record<string, string> {
  const me = letIn();
  if (!me) return {};
  // `btoa` takes characters of one byte alone; RFC 7617 has UTF-8.
  const bytes = new TextEncoder().encode(`${me.user}:${me.password}`);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/** Whether this browser may do what only a referee may: at the machine itself, or by name. The daemon checks it again. */
export function isReferee(): boolean {
  const me = letIn();
  return me === undefined || (me.role ?? "referee") === "referee";
}

/** Confirms and removes users who were added with a code; a sentence where that was refused. */
export async function decide(decision: { confirm?: string[]; remove?: string[] }): Promise<string | undefined> {
  try {
    const headers = credentials();
    const answer = await fetch("/unconfirmed", { method: "POST", headers, body: JSON.stringify(decision) });
    if (answer.ok) return undefined;
    return ((await answer.json()) as { message?: string }).message ?? String(answer.status);
  } catch (error) {
    return String(error);
  }
}

/** Asks to be let in with a code; a sentence where that was refused. */
export async function pair(code: string, name: string): Promise<LetIn | string> {
  try {
    const answer = await fetch("/pair", { method: "POST", body: JSON.stringify({ code, name }) });
    const found = (await answer.json()) as LetIn & { message?: string };
    return answer.ok ? found : (found.message ?? String(answer.status));
  } catch (error) {
    return String(error);
  }
}
