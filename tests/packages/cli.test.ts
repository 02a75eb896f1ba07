import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
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

it("starts without other packages, a home or a service, and uses little CPU time", () => {
  const program = join(installed, "dist/mediamill.js");
  const path = (process.env.PATH ?? "").split(":").filter((one) => !one.includes("node_modules"));
  const env = { NODE_ENV: "production", HOME: folder, PATH: path.join(":") } as const;
  // Of the system: the first line of the file names it.
  expect(execFileSync(program, ["--version"], { env }).toString()).toBe("1.0.0\n");
  const help = execFileSync(process.execPath, [program, "--help"], { env }).toString();
  expect(help).toContain("listen");
  const measure = `process.argv = [process.argv[0], "mediamill", "--version"];
    const before = process.cpuUsage();
    await import(${JSON.stringify(program)});
    const { user, system } = process.cpuUsage(before);
    process.stderr.write(String((user + system) / 1000));
    process.exit(0);`;
  const args = ["--input-type=module", "-e", `${measure}`];
  const run = () =>
    Number(
      execFileSync("sh", ["-c", '"$0" "$@" 2>&1 >/dev/null', process.execPath, ...args], { env }),
    );
  // Node itself needs about 40 ms. The best of three, because other tests run at the same time.
  expect(Math.min(run(), run(), run())).toBeLessThan(100);
});

it("has the same exit codes in the guide and the README", () => {
  for (const path of ["docs/guide/cli.md", "packages/cli/README.md"]) {
    const rows = readFileSync(join(project, path), "utf8").matchAll(/^\| ([\d, ]+) \|/gm);
    const listed = [...rows].flatMap(([, codes = ""]) => codes.split(", ").map(Number));
    expect(listed, path).toEqual(Object.values(exitCodes));
  }
});
