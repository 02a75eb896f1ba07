import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { faultPoints } from "#lib/no-faults.ts";
import { buildIfChanged } from "#lib/supervisor/build.ts";
import { projectFolder } from "#scripts/setup/node24.mjs";
import { FaultPlan } from "#tests/faults/plan.ts";
import { Program } from "#tests/support/processes.ts";

const driver = `${import.meta.dirname}/driver.ts`;

/** Passes every moment, each of which kills, and tells what it loaded and that it lived. */
async function passAll(variables: Record<string, string> = {}) {
  const plan = new FaultPlan();
  for (const moment of faultPoints) plan.arm(moment, { act: "kill" });
  const program = new Program([driver], { ...plan.variables, ...variables });
  const { stdout } = await program.finished;
  plan.remove();
  return { stdout, signal: program.child.signalCode };
}

it("a process that is started as in production has no fault points, whatever is armed", async () => {
  const { stdout, signal } = await passAll({ NODE_OPTIONS: "", NODE_ENV: "production" });
  expect([JSON.parse(stdout), signal]).toEqual([
    { faults: "lib/no-faults.ts", times: "lib/times.ts", lived: true },
    null,
  ]);
});

it("one that a test starts dies at the first that is armed", async () => {
  const { stdout, signal } = await passAll();
  expect([stdout, signal]).toEqual(["", "SIGKILL"]);
});

it("what stands for them in production does nothing", () => {
  const source = readFileSync(join(projectFolder, "lib/no-faults.ts"), "utf8");
  expect(source).toMatch(/export function faultPoint\([^)]*\): void \{\}\s*$/);
  expect(source).not.toMatch(/\bimport\b/);
});

it("the web app is built without them", async () => {
  await buildIfChanged();
  const folder = join(projectFolder, ".next", "server");
  const files = readdirSync(folder, { recursive: true }).map(String);
  const scripts = files.filter((file) => file.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(10);
  const marks = /MEDIAMILL_FAULTS|mediamill-test|support\/faults|short-times/;
  const marked = scripts.filter((file) => marks.test(readFileSync(join(folder, file), "utf8")));
  expect(marked).toEqual([]);
});
