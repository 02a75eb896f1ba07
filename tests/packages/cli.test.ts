import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { exitCodes } from "#packages/cli/src/exit-codes.ts";
import { buildPackage } from "#scripts/commands/clients/packages.ts";

/** The command as it is published: built, packed and unpacked into an empty folder. */

const project = join(import.meta.dirname, "../..");
let folder = "";
let installed = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "mediamill-cli-"));
  const tarball = await buildPackage("cli", folder);
  execFileSync("tar", ["xzf", tarball, "-C", folder]);
  installed = join(folder, "package");
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("is a sound package", () => {
  const publint = join(project, "node_modules/.bin/publint");
  execFileSync(publint, [installed, "--strict"], { stdio: "pipe" });
});

/** Where the installed command runs: there are no other packages. */
function bareEnvironment() {
  const path = (process.env.PATH ?? "").split(":").filter((one) => !one.includes("node_modules"));
  return { NODE_ENV: "production", HOME: folder, PATH: path.join(":") } as const;
}

it("starts without other packages, a home or a service", () => {
  const program = join(installed, "dist/mediamill.js");
  const env = bareEnvironment();
  // Of the system: the first line of the file names it.
  expect(execFileSync(program, ["--version"], { env }).toString()).toBe("1.0.0\n");
  const help = execFileSync(process.execPath, [program, "--help"], { env }).toString();
  expect(help).toContain("listen");
});

it.each(["get", "cancel", "retry"])("jobs %s says that an id is none of a job", (command) => {
  const program = join(installed, "dist/mediamill.js");
  const args = [program, "jobs", command, "job_1"];
  const { status, stderr } = spawnSync(process.execPath, args, {
    env: bareEnvironment(),
    encoding: "utf8",
  });
  const message = "Error: job_1 is not the id of a job, which starts with job_.\n";
  expect({ status, stderr }).toEqual({ status: exitCodes.usage, stderr: message });
});

it.each([
  ["jobs", "gett", "get"],
  ["endpoints", "creat", "create"],
  ["profiles", "ad", "add"],
])("%s %s suggests %s", (group, word, meant) => {
  const program = join(installed, "dist/mediamill.js");
  const { status, stderr } = spawnSync(process.execPath, [program, group, word], {
    env: bareEnvironment(),
    encoding: "utf8",
  });
  const message = `error: unknown command '${word}'\n(Did you mean ${meant}?)\n`;
  expect({ status, stderr }).toEqual({
    status: exitCodes.usage,
    stderr: expect.stringContaining(message),
  });
});

it("loads little to start: not what only commands need that use the network", () => {
  const program = join(installed, "dist/mediamill.js");
  const report = `process.argv = [process.argv[0], "mediamill", "--version"];
    const before = new Set(process.moduleLoadList);
    await import(${JSON.stringify(program)});
    const loaded = process.moduleLoadList.filter((one) => !before.has(one));
    process.stdout.write(loaded.join("\\n"));
    process.exit(0);`;
  const args = ["--input-type=module", "-e", report];
  const output = execFileSync(process.execPath, args, { env: bareEnvironment() }).toString();
  const loaded = [...output.matchAll(/^NativeModule (.*)$/gm)].map(([, name]) => name);
  expect(loaded).toContain("fs/promises");
  const network = ["http", "https", "http2", "tls", "internal/deps/undici/undici"];
  expect(loaded.filter((name) => network.includes(name ?? ""))).toEqual([]);
  // All of it is parsed at each start.
  expect(statSync(program).size).toBeLessThan(1_200_000);
});

it("has the same exit codes in the guide and the README", () => {
  for (const path of ["docs/guide/cli.md", "packages/cli/README.md"]) {
    const rows = readFileSync(join(project, path), "utf8").matchAll(/^\| ([\d, ]+) \|/gm);
    const listed = [...rows].flatMap(([, codes = ""]) => codes.split(", ").map(Number));
    expect(listed, path).toEqual(Object.values(exitCodes));
  }
});
