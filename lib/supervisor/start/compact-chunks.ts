import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

/**
 * Makes the chunks of a build smaller in the memory of the web process, which keeps the text of every chunk that it has
 * loaded. Turbopack writes a chunk that several entry points need once for each of them: the copies become one. And V8
 * keeps a text with a single character beyond Latin-1 in two bytes per character: such characters are escaped.
 *
 * @param folder the server's chunks, `.next/server/chunks`
 */
export function compactChunks(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const first = new Map<string, string>();
  for (const name of names.filter((one) => one.endsWith(".js"))) {
    const path = join(folder, name);
    const text = readFileSync(path, "utf8");
    // Not the runtime, and no chunk in a form that this version of Next.js does not write.
    if (!/^module\.exports ?= ?\[/.test(text)) continue;
    const code = text.replace(sourceMapComment, "");
    const hash = createHash("sha256").update(code).digest("hex");
    const copied = first.get(hash);
    first.set(hash, copied ?? path);
    writeFileSync(path, copied === undefined ? escapeBeyondLatin1(code) : forward(path, copied));
  }
}

/** It names the file itself, so that copies differ in it alone. The build writes no source maps. */
const sourceMapComment = /\n\/\/# sourceMappingURL=\S+\s*$/;

function forward(path: string, target: string): string {
  const specifier = relative(dirname(path), target);
  return `module.exports = require(${JSON.stringify(`./${specifier}`)});\n`;
}

/** `code` in Latin-1. Returned as it is if such a character is in a raw template, where an escape is text, too. */
function escapeBeyondLatin1(code: string): string {
  const raw = code.match(/\braw`[^`]*/g) ?? [];
  if (raw.some((text) => /[^\0-\xff]/.test(text))) return code;
  return code.replace(
    /[^\0-\xff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
