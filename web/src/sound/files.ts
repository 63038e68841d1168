// The owner's files: sounds, pictures and the logo.

/** The address of a file in the folder `show` of the data directory. */
export function fileOf(name: string): string {
  return `/show/${encodeURIComponent(name)}`;
}
