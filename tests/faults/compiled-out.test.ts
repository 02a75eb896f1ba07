import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { faultPoints } from "#lib/no-faults.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { buildService } from "#scripts/commands/build-service.ts";
import { FaultPlan } from "#tests/faults/plan.ts";
import { Program } from "#tests/support/processes.ts";

const driver = `${import.meta.dirname}/driver.ts`;

/** Runs a process that reaches every fault point, each armed to kill it; returns its report. */
async function passFaultPoints(variables: Record<string, string> = {}) {
  const plan = new FaultPlan();
  for (const point of faultPoints) plan.arm(point, { action: "kill" });
  const program = new Program([driver], { ...plan.variables, ...variables });
  const { stdout } = await program.exited;
  plan.remove();
  return { stdout, signal: program.child.signalCode };
}

it("a process that starts as in production ignores armed fault points", async () => {
  const { stdout, signal } = await passFaultPoints({ NODE_OPTIONS: "", NODE_ENV: "production" });
  expect([JSON.parse(stdout), signal]).toEqual([
    { faults: "lib/no-faults.ts", times: "lib/times.ts", survived: true },
    null,
  ]);
});

it("a process that starts with the test condition dies at the first armed fault point", async () => {
  const { stdout, signal } = await passFaultPoints();
  expect([stdout, signal]).toEqual(["", "SIGKILL"]);
});

it("the production module for fault points does nothing", () => {
  const source = readFileSync(join(projectFolder, "lib/no-faults.ts"), "utf8");
  expect(source).toMatch(/export function faultPoint\([^)]*\): void \{\}\s*$/);
  expect(source).not.toMatch(/\bimport\b/);
});

it("the built web app contains no fault points", async () => {
  await buildService();
  const folder = join(projectFolder, ".next", "server");
  const files = readdirSync(folder, { recursive: true }).map(String);
  const scripts = files.filter((file) => file.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(10);
  const marks = /MEDIAMILL_FAULTS|mediamill-test|support\/faults|short-times/;
  // The comments of the production modules name the others.
  const readCode = (file: string) =>
    readFileSync(join(folder, file), "utf8").replaceAll(/^\s*(?:\/\*|\*|\/\/).*$/gm, "");
  const marked = scripts.filter((file) => marks.test(readCode(file)));
  expect(marked).toEqual([]);
}, 300_000);
