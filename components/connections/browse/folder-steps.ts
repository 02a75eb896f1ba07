/**
 * The name of a file, or of a folder, whose path ends with a slash. A slash stands for an empty name, which a folder in
 * a store of keys may have.
 */
export function nameOf(path: string): string {
  const name = path.replace(/\/$/, "");
  return name.slice(name.lastIndexOf("/") + 1) || "/";
}

/** The paths of the folders from the root to this one. */
export function folderSteps(path: string): string[] {
  const ends = [...path.matchAll(/\//g)].map(({ index }) => index + 1);
  return ["", ...ends.map((end) => path.slice(0, end))];
}
