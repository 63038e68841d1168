// Which paths are pages. The daemon reads the same file, and answers every other path with 404.
import list from "../public/page-paths.json";

export type PageName = keyof typeof list.pages;

/** The parts of a path that vary, by their names in the list; as they are in the address, not decoded. */
export type PageParts = Partial<Record<keyof typeof list.parts, string>>;

interface PageAddress {
  page: PageName;
  parts: PageParts;
}

/** The page at a path; undefined if there is none. A slash at the end is ignored. */
export function pageAt(path: string): PageAddress | undefined {
  for (const [page, pattern] of Object.entries(list.pages)) {
    const found = expression(pattern).exec(path);
    if (found) return { page: page as PageName, parts: { ...found.groups } };
  }
  return undefined;
}

function expression(pattern: string): RegExp {
  const parts = Object.entries(list.parts);
  const source = parts.reduce((text, [name, part]) => text.replace(`{${name}}`, `(?<${name}>${part})`), pattern);
  return new RegExp(`^${source.replace(/\/$/, "")}/?$`);
}
