import { stat } from "node:fs/promises";
import { basename, dirname, extname, join, relative, resolve } from "node:path";
import { UsageError } from "../errors.ts";

/** An input of an operation. */
export type Source =
  | {
      readonly kind: "file";
      readonly path: string;
      /** The folder of the output below the output folder: that of the file below the searched one. */
      readonly folder: string;
    }
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "stdin" };

const remote = /^(?:https?:\/\/|upload_[0-9A-Za-z]{24}$|conn_[0-9A-Za-z]{24}:)/i;
const globCharacters = /[*?[\]{}!]/;

export function isRemote(text: string): boolean {
  return remote.test(text);
}

/** What to call an input in messages. */
export function labelOf(source: Source): string {
  if (source.kind === "file") return source.path;
  return source.kind === "url" ? source.url : "stdin";
}

/**
 * The inputs that the words name: paths, patterns, folders (with `isRecursive`), URLs, ids of uploads,
 * and `-` for stdin. Hidden files are found only by patterns that name the period. Throws `UsageError` for a word that names nothing.
 */
export async function expandInputs(
  words: readonly string[],
  isRecursive: boolean,
): Promise<Source[]> {
  const found: Source[] = [];
  for (const word of words) {
    if (word === "-") found.push({ kind: "stdin" });
    else if (isRemote(word)) found.push({ kind: "url", url: word });
    else found.push(...(await expandPath(word, isRecursive)));
  }
  if (found.filter(({ kind }) => kind === "stdin").length > 1) {
    throw new UsageError("`-` (stdin) can be given once.");
  }
  const seen = new Set<string>();
  // Patterns may overlap; a file that was named twice is still meant twice.
  return found.filter((one) => {
    if (one.kind !== "file" || words.includes(one.path)) return true;
    return seen.has(one.path) ? false : seen.add(one.path);
  });
}

/** Whether the words name only folders, and none of them has a file that is not hidden. */
export async function areEmpty(words: readonly string[]): Promise<boolean> {
  const { glob } = await import("tinyglobby");
  for (const word of words) {
    const stats = isRemote(word) ? undefined : await stat(word).catch(() => undefined);
    if (!stats?.isDirectory()) return false;
    if ((await glob(["**/*"], { cwd: word, onlyFiles: true })).length > 0) return false;
  }
  return words.length > 0;
}

/** The sources without the files in the output folder, if that is in a folder of the inputs: else outputs would become inputs. */
export function withoutOutputs(
  sources: readonly Source[],
  words: readonly string[],
  output: string | undefined,
): readonly Source[] {
  if (output === undefined || output === "-") return sources;
  const folder = resolve(output);
  const isIn = (path: string, parent: string) => path.startsWith(join(parent, "/"));
  const isOutputBelow = words.some((word) => !isRemote(word) && isIn(folder, resolve(word)));
  if (!isOutputBelow) return sources;
  return sources.filter((one) => one.kind !== "file" || !isIn(resolve(one.path), folder));
}

async function expandPath(word: string, isRecursive: boolean): Promise<Source[]> {
  const stats = await stat(word).catch(() => undefined);
  if (stats?.isDirectory()) {
    if (isRecursive) return search(word, "**/*");
    throw new UsageError(`${word} is a folder. Add -r to take the files in it.`);
  }
  if (stats?.isFile() || stats?.isFIFO()) return [{ kind: "file", path: word, folder: "" }];
  if (stats) throw new UsageError(`${word} is not a file.`);
  if (!globCharacters.test(word)) throw new UsageError(`${word} does not exist.`);
  const parts = word.split("/");
  const first = parts.findIndex((part) => globCharacters.test(part));
  const base = parts.slice(0, first).join("/") || (word.startsWith("/") ? "/" : ".");
  return search(base, parts.slice(first).join("/"), word);
}

/** The files below `base` that match, in the order of their names. */
async function search(base: string, pattern: string, word = base): Promise<Source[]> {
  const { glob } = await import("tinyglobby");
  const paths = await glob([pattern], { cwd: base, onlyFiles: true, expandDirectories: false });
  if (paths.length === 0) throw new UsageError(`${word}: there is no such file.`);
  return paths.sort().map((path) => {
    const folder = dirname(path);
    return { kind: "file", path: join(base, path), folder: folder === "." ? "" : folder };
  });
}

/** The name of an input without its extension. */
export function stemOf(source: Source): string {
  if (source.kind === "stdin") return "stdin";
  const name =
    source.kind === "file" ? basename(source.path) : basename(new URL(urlOf(source)).pathname);
  return name.slice(0, name.length - extname(name).length) || "output";
}

const urlOf = ({ url }: { readonly url: string }) => (URL.canParse(url) ? url : `upload:/${url}`);

/** A path as it is compared with others. */
export function shortPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short.startsWith("..") ? path : short || ".";
}
