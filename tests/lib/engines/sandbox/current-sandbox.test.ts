import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCgroupParents, readCgroupInfo } from "#lib/engines/sandbox/cgroup-hierarchies.ts";
import { closeSandbox, reportSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { describeSandbox } from "#lib/engines/sandbox/describe-sandbox.ts";
import { Program, waitUntil } from "#tests/support/processes.ts";
import { restrictedPod, withoutSandbox } from "#tests/support/sandbox/without-namespaces.ts";

/** A program that reports its sandbox and starts an engine, as a runner does. */
const driver = join(import.meta.dirname, "../../../support/sandbox/sandbox-driver.ts");

/** The groups that the process `pid` has created. */
function groupsOf(pid: number | undefined): string[] {
  const info = readCgroupInfo();
  const parents = info ? findCgroupParents(info) : [];
  return parents.flatMap(({ folder }) =>
    readdirSync(folder).filter((name) => name === `mediamill.${pid}`),
  );
}

/** The tests of the control groups and of open files start the driver with the other values of `SANDBOX`. */
const expectNoAdvice = ({ stdout }: Program) =>
  expect(stdout).not.toContain("SANDBOX=off allows all of it.");

describe("SANDBOX", () => {
  it("strict on this machine", async () => {
    const program = new Program([driver], { SANDBOX: "strict" });
    await program.waitForOutput("sandbox strict");
    expectNoAdvice(program);
  });

  it.each(["auto", "required"])("%s in a restricted pod is strict", async (SANDBOX) => {
    const program = new Program([driver], { SANDBOX }, restrictedPod);
    await program.waitForOutput("sandbox strict");
    expect(program.stdout).toContain("Sandbox: on (strict).");
  });

  it("auto continues without a sandbox and warns if nothing works", async () => {
    const program = new Program([driver], { SANDBOX: "auto" }, withoutSandbox);
    await program.waitForOutput("sandbox off");
    expect(program.stdout).toContain("WARNING: engines run without a sandbox");
    expect(program.stdout).toContain("SANDBOX=off allows all of it.");
  });

  it.each([
    ["required", withoutSandbox, "and Landlock cannot restrict engines"],
    ["strict", withoutSandbox, "Landlock cannot restrict engines"],
    ["full", restrictedPod, "bubblewrap cannot create a sandbox"],
  ])("%s fails with the reason if it is not possible", async (SANDBOX, prefix, reason) => {
    const program = new Program([driver], { SANDBOX }, prefix);
    const { code, stderr } = await program.exited;
    expect(code).toBe(1);
    expect(stderr).toContain(`SANDBOX=${SANDBOX}, but `);
    expect(stderr).toContain(reason);
  });
});

describe("the limit of open files", () => {
  it("lowers the limits of engines, with SANDBOX=off", async () => {
    const program = new Program([driver], { SANDBOX: "off" }, ["prlimit", "--nofile=1024:1024"]);
    await program.waitForOutput("engine started");
    expect(program.stdout).toContain("sandbox off");
    expectNoAdvice(program);
    const [child] = program.stdout.match(/(?<=pid )\d+/) ?? [];
    await waitUntil(() => readFileSync(`/proc/${child}/cmdline`, "utf8").startsWith("sleep"));
    expect(readFileSync(`/proc/${child}/limits`, "utf8")).toMatch(/^Max open files +1024 +1024/m);
  });

  it("stops the start if it is too low", async () => {
    const program = new Program([driver], {}, ["prlimit", "--nofile=256:256"]);
    const { code, stderr } = await program.exited;
    expect(code).toBe(1);
    expect(stderr).toContain("the limit of open files is 256, but at least 512 are needed");
  });
});

describe("control groups", () => {
  it("of a killed process are removed by the next process, with SANDBOX=auto", async () => {
    const program = new Program([driver], { SANDBOX: "auto" });
    await program.waitForOutput("engine started");
    expect(program.stdout).toContain("sandbox full");
    expectNoAdvice(program);
    const { pid } = program.child;
    program.child.kill("SIGKILL");
    await program.exited;
    // The groups can be removed after their processes have exited, shortly after their parent.
    await waitUntil(async () => {
      await closeSandbox();
      await reportSandbox();
      return groupsOf(pid).length === 0;
    });
  });

  it("of a process that exits are removed by itself, with SANDBOX=required", async () => {
    const program = new Program([driver, "exit"], { SANDBOX: "required" });
    await program.exited;
    expect(program.stdout).toContain("sandbox full");
    expectNoAdvice(program);
    expect(groupsOf(program.child.pid)).toEqual([]);
  });
});

describe("the report for the operator", () => {
  it.each([
    ["full", "cgroup v2", "cgroup v2", /no network.*limited by the kernel \(cgroup v2\)/],
    [
      "full",
      "watch",
      "rlimit",
      /memory is checked.*processes are limited by the kernel \(rlimit\)/,
    ],
    ["strict", "watch", "watch", /strict.*no network.*not namespaces/],
    [
      "off",
      "watch",
      "watch",
      /WARNING: engines run without a sandbox.*SECRET.*every server.*checked four times per second/,
    ],
  ] as const)("sandbox %s, memory %s, processes %s", (sandbox, memory, processes, words) => {
    const report = { sandbox, sandboxFailed: false, isRoot: false, limits: { memory, processes } };
    const text = describeSandbox(report).join(" ");
    expect(text).toMatch(words);
    expect(text).not.toContain("root");
    const ofRoot = describeSandbox({ ...report, isRoot: true }).join(" ");
    expect(ofRoot).toMatch(
      /WARNING: .* is root\. .* would be root too\. Run it as an ordinary user/,
    );
  });
});
