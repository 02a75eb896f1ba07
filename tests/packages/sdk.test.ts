import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Mediamill } from "#packages/sdk/src/index.ts";
import { buildPackage } from "#scripts/commands/clients/packages.ts";

/** The package as it is published: built, packed and installed into an empty folder. */

const project = join(import.meta.dirname, "../..");
const bin = (name: string) => join(project, "node_modules/.bin", name);
let folder = "";
let tarball = "";
let installed = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mediamill-sdk-"));
  tarball = await buildPackage("sdk", folder);
  const scope = join(folder, "app/node_modules/@mediamill");
  mkdirSync(scope, { recursive: true });
  execFileSync("tar", ["xzf", tarball, "-C", scope]);
  execFileSync("mv", [join(scope, "package"), join(scope, "sdk")]);
  installed = join(scope, "sdk");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("is a sound package with sound types", () => {
  execFileSync(bin("publint"), [installed, "--strict"], { stdio: "pipe" });
  execFileSync(bin("attw"), [tarball, "--profile", "esm-only"], { stdio: "pipe" });
});

it("compiles in a strict project that has the types of Node.js and not those of browsers", () => {
  const app = join(folder, "app");
  const source = `import { Mediamill } from "@mediamill/sdk";
    export const job = new Mediamill().run("image/resize", { input: "photo.jpg", width: 1 });`;
  writeFileSync(join(app, "types.mts"), source);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    module: "nodenext",
    lib: ["ES2023"],
    types: ["node"],
    typeRoots: [join(project, "node_modules/@types")],
  };
  const config = join(app, "tsconfig.json");
  writeFileSync(config, JSON.stringify({ compilerOptions, files: ["types.mts"] }));
  execFileSync(bin("tsc"), ["-p", config], { stdio: "pipe" });
});

it("names a file that does not exist", async () => {
  const mm = new Mediamill({ apiKey: "key", baseUrl: "http://127.0.0.1:9" });
  const job = mm.run("image/resize", { input: "missing.jpg", width: 1 });
  await expect(job).rejects.toThrow(/ENOENT.*missing\.jpg/);
});

it("has no dependencies and at most 10 kB, compressed", async () => {
  const entry = join(installed, "dist/index.js");
  const { outputFiles, metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false,
    metafile: true,
  });
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports);
  expect(imported.filter(({ external }) => external)).toEqual([]);
  expect(gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length).toBeLessThan(10_000);
});

it.each([
  ["the Node that the service runs on", process.execPath],
  ["the Node of the system", "/usr/bin/env"],
])("is loaded by %s", (_name, program) => {
  const script = join(folder, "app/script.mjs");
  writeFileSync(
    script,
    `import { Mediamill, JobFailedError } from "@mediamill/sdk";
     const mm = new Mediamill({ apiKey: "key", baseUrl: "http://127.0.0.1:1", maxRetries: 0 });
     const error = await mm.run("image/resize", { input: "https://example.com/a.jpg", width: 1 }).catch((e) => e);
     console.log(error.name, typeof JobFailedError);`,
  );
  const path = (process.env.PATH ?? "").split(":").filter((one) => !one.includes("node_modules"));
  const args = program.endsWith("env") ? ["node", script] : [script];
  const printed = execFileSync(program, args, {
    encoding: "utf8",
    env: { ...process.env, PATH: path.join(":") },
  });
  expect(printed.trim()).toBe("ConnectionError function");
});
