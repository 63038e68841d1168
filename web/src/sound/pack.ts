// A caller's pack: which of its files are played for a call.
import type { Call, Part } from "./call-queue";

/** A folder of the data directory with a caller's words. */
export interface Pack {
  name: string;
  /** Each word, with the name of its file. */
  files: Record<string, string>;
}

/** The addresses of the files for a part, or undefined if the pack lacks one of them. */
export function filesFor(part: Part, pack: Pack | undefined): string[] | undefined {
  if (!pack || part.files.length === 0) return undefined;
  const names = part.files.map((words) =>
    words
      .split("|")
      .map((word) => pack.files[word])
      .find(Boolean),
  );
  return names.every((name) => name !== undefined)
    ? names.map((name) => `/callers/${encodeURIComponent(pack.name)}/${encodeURIComponent(name)}`)
    : undefined;
}

/** What is played and said for a call: the parts in order, texts that follow each other as one. */
export function stepsOf(call: Call, pack: Pack | undefined): ({ file: string } | { text: string })[] {
  const steps: ({ file: string } | { text: string })[] = [];
  for (const part of call.parts) {
    const files = filesFor(part, pack);
    const last = steps.at(-1);
    if (files) steps.push(...files.map((file) => ({ file })));
    else if (last && "text" in last) last.text += `, ${part.text}`;
    else steps.push({ text: part.text });
  }
  return steps;
}
