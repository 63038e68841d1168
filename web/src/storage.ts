// What a browser keeps for its pages. Private windows and full or forbidden stores keep nothing: the page works without.

/** The kept text; `null` if there is none, or nothing can be read. */
export function getStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Keeps a text if it can. */
export function setStored(key: string, text: string): void {
  try {
    localStorage.setItem(key, text);
  } catch {
    // It is forgotten with the page.
  }
}
