import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { compactChunks } from "#lib/supervisor/start/compact-chunks.ts";

const require = createRequire(import.meta.url);

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "mediamill-chunks-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const path = join(folder, "chunks", name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Writes a chunk as Turbopack does, with a comment that names the file. */
const writeChunk = (name: string, code: string) =>
  write(name, `module.exports = [\n7, () => ${code}];\n\n//# sourceMappingURL=${name}.map`);

const callOf = (path: string) => (require(path) as [number, () => unknown])[1]();

describe("the chunks of a build", () => {
  it("copies load the first of them", () => {
    const code = "({})";
    const first = writeChunk("[root]_a.js", code);
    const copies = [writeChunk("[root]_b.js", code), writeChunk("ssr/c.js", code)];
    const other = writeChunk("d.js", "1");
    compactChunks(folder);
    for (const copy of copies) {
      expect(readFileSync(copy, "utf8")).toContain("require(");
      expect(require(copy)).toBe(require(first));
    }
    expect(callOf(other)).toBe(1);
  });

  it.each([
    ["a string", '"Größe – 大 😀"', "Größe – 大 😀"],
    ["a template", "`Größe – 大`", "Größe – 大"],
    ["an expression", '"a–b😀".replace(/[–😀]/gu, "-")', "a-b-"],
    ["an escaped character", '"\\–\\\\–"', "–\\–"],
    ["an escaped character of an expression", 'String(/[\\–]/.test("–"))', "true"],
    ["a comment", '/* – */ "x"', "x"],
    ["a raw template without such a character", 'String.raw`\\d` + "–"', "\\d–"],
  ])("are in Latin-1, with the same value: %s", (_, code, value) => {
    const path = writeChunk("a.js", code);
    compactChunks(folder);
    expect(readFileSync(path, "utf8")).not.toMatch(/[^\0-\xff]/);
    expect(callOf(path)).toBe(value);
  });

  it("are as they were if a raw template has such a character", () => {
    const path = writeChunk("a.js", "String.raw`–\\d`");
    compactChunks(folder);
    expect(callOf(path)).toBe("–\\d");
  });

  it("an entry point has what its chunks load among its files", () => {
    writeChunk("[root]_a.js", "({})");
    writeChunk("b.js", "({})");
    const trace = write("../app/x/route.js.nft.json", "");
    const files = ["../../chunks/b.js", "../../../package.json"];
    writeFileSync(trace, JSON.stringify({ version: 1, files }));
    compactChunks(folder);
    const expected = { version: 1, files: [...files, "../../chunks/[root]_a.js"] };
    expect(JSON.parse(readFileSync(trace, "utf8"))).toEqual(expected);
  });

  it("other files are left as they are", () => {
    const runtime = write("runtime.js", "module.exports = () => '–'; //# sourceMappingURL=x");
    const text = readFileSync(runtime, "utf8");
    compactChunks(folder);
    expect(readFileSync(runtime, "utf8")).toBe(text);
  });
});
