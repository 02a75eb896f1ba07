import type { DroppedFile } from "./dropped-files.ts";

let handed: readonly DroppedFile[] = [];

/** Keeps files for the playground while the browser changes to its page. A reload loses them. */
export function handFiles(files: readonly DroppedFile[]): void {
  handed = files;
}

/** The files that another page has handed over: once. */
export function takeHandedFiles(): readonly DroppedFile[] {
  const files = handed;
  handed = [];
  return files;
}
