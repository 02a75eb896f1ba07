import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * Makes the chunks of a build smaller in the memory of the web process, which keeps the text of every chunk that it has
 * loaded. Turbopack writes a chunk that several entry points need once for each of them: the copies become one. And V8
 * keeps a text with a single character beyond Latin-1 in two bytes per character: such characters are escaped.
 *
 * @param server the folder of the server's code, `.next/server`
 */
export function compactChunks(server: string): void {
  const first = new Map<string, string>();
  const targets = new Map<string, string>();
  for (const path of listFiles(join(server, "chunks"), ".js")) {
    const text = readFileSync(path, "utf8");
    // Not the runtime, and no chunk in a form that this version of Next.js does not write.
    if (!/^module\.exports ?= ?\[/.test(text)) continue;
    const code = text.replace(sourceMapComment, "");
    const hash = createHash("sha256").update(code).digest("hex");
    const copied = first.get(hash);
    if (copied === undefined) {
      first.set(hash, path);
      writeFileSync(path, escapeBeyondLatin1(code));
    } else {
      targets.set(path, copied);
      writeFileSync(path, `module.exports = require(${JSON.stringify(pathFrom(path, copied))});\n`);
    }
  }
  for (const trace of listFiles(server, ".nft.json")) addTargets(trace, targets);
}

function listFiles(folder: string, ending: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  return names.filter((name) => name.endsWith(ending)).map((name) => join(folder, name));
}

/** It names the file itself, so that copies differ in it alone. The build writes no source maps. */
const sourceMapComment = /\n\/\/# sourceMappingURL=\S+\s*$/;

/** Returns `target` as a relative path from the file `path`. */
function pathFrom(path: string, target: string): string {
  const relativePath = relative(dirname(path), target);
  return relativePath.startsWith(".") ? relativePath : `./${relativePath}`;
}

/** Adds what its chunks load now to the files that an entry point needs, if it runs without the others. */
function addTargets(trace: string, targets: ReadonlyMap<string, string>): void {
  const { files, ...rest }: { files: string[] } = JSON.parse(readFileSync(trace, "utf8"));
  const needed = files.flatMap((file) => targets.get(join(dirname(trace), file)) ?? []);
  const all = new Set([...files, ...needed.map((target) => pathFrom(trace, target))]);
  writeFileSync(trace, JSON.stringify({ ...rest, files: [...all] }));
}

/**
 * Returns `code` in Latin-1, or as it is if such a character is in a raw template, where an escape
 * is text, too, or ends a line.
 */
function escapeBeyondLatin1(code: string): string {
  const raw = code.match(/\braw`[^`]*/g) ?? [];
  if (/[\u2028\u2029]/.test(code) || raw.some((text) => /[^\0-\xff]/.test(text))) return code;
  return code.replace(/(\\*)([^\0-\xff])/g, (_, before: string, unit: string) => {
    const escaped = `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
    // A backslash that escapes the character means nothing, and would escape the new one.
    return before.slice(before.length % 2) + escaped;
  });
}
