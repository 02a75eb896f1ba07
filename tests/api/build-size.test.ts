import { spawnSync } from "node:child_process";
import { lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sandboxUid } from "#lib/engines/sandbox/bubblewrap/arguments.ts";
import { workerCompileCache } from "#lib/engines/worker/compile-cache.ts";

/** The built web app, without the cache that a development server leaves, and links to packages. */
const folder = join(import.meta.dirname, "../../.next");
const ignored = new Set(["cache", "dev", "node_modules"]);

/** A size that is half above that of the build, in which no chunk is there twice. */
const maxTotalBytes = 60e6;
const maxStaticBytes = 3e6;
const maxFileBytes = 7e6;

interface BuiltFile {
  readonly name: string;
  readonly bytes: number;
}

const files: readonly BuiltFile[] = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ name: path.slice(folder.length + 1), bytes: statSync(path).size }))
  .filter(({ name }) => !ignored.has(name.split("/")[0] ?? ""));

const sum = (chosen: readonly BuiltFile[]) => chosen.reduce((total, one) => total + one.bytes, 0);

it("the built web app is small enough to write and to load quickly", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(sum(files)).toBeLessThan(maxTotalBytes);
  expect(sum(files.filter(({ name }) => name.startsWith("static/")))).toBeLessThan(maxStaticBytes);
  expect(files.filter(({ bytes }) => bytes > maxFileBytes)).toEqual([]);
});

it("has no source maps", () => {
  expect(files.filter(({ name }) => name.endsWith(".map"))).toEqual([]);
});

it("has the compiled code of the workers, for the user in the sandbox as well", () => {
  const cache = workerCompileCache();
  const inSandbox = readdirSync(cache).filter((name) => name.endsWith(`-${sandboxUid}`));
  expect(inSandbox).toHaveLength(1);
  const paths = readdirSync(cache, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  // The last that the build wrote. Workers without a sandbox write what they compile later, for their own user.
  const builtAt = lstatSync(join(cache, inSandbox[0] ?? "")).mtimeMs;
  const built = paths.map((path) => statSync(path)).filter(({ mtimeMs }) => mtimeMs <= builtAt);
  expect(built.length).toBeGreaterThan(100);
  expect(new Set(built.map(({ mode }) => mode & 0o777))).toEqual(new Set([0o644]));
  const program = join(folder, "../lib/engines/worker/program.ts");
  const { stderr } = spawnSync(process.execPath, [program], {
    input: "",
    encoding: "utf8",
    env: {
      NODE_ENV: "test",
      NODE_COMPILE_CACHE: cache,
      NODE_DEBUG_NATIVE: "COMPILE_CACHE",
      LOG_LEVEL: "silent",
    },
  });
  expect(stderr.match(/was accepted/g)?.length).toBeGreaterThan(100);
  expect(stderr.split("\n").filter((line) => /reading cache .*no such file/.test(line))).toEqual(
    [],
  );
});
