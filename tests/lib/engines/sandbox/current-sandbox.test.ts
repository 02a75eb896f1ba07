import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCgroupParents, readCgroupInfo } from "#lib/engines/sandbox/cgroup-hierarchies.ts";
import { closeSandbox, reportSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { describeSandbox } from "#lib/engines/sandbox/describe-sandbox.ts";
import { Program, waitUntil } from "#tests/support/processes.ts";
import { withoutNamespaces } from "#tests/support/without-namespaces.ts";

/** A program that reports its sandbox and starts an engine, as a runner does. */
const driver = join(import.meta.dirname, "../../../support/sandbox-driver.ts");

/** The groups that the process `pid` has created. */
function groupsOf(pid: number | undefined): string[] {
  const info = readCgroupInfo();
  const parents = info ? findCgroupParents(info) : [];
  return parents.flatMap(({ folder }) =>
    readdirSync(folder).filter((name) => name === `mediamill.${pid}`),
  );
}

describe("SANDBOX", () => {
  it.each([
    ["auto", "sandbox full"],
    ["required", "sandbox full"],
    ["off", "sandbox off"],
  ])("%s on this machine", async (SANDBOX, expected) => {
    const program = new Program([driver], { SANDBOX });
    await program.waitForOutput(expected);
    expect(program.stdout).not.toContain("SANDBOX=off allows all of it.");
  });

  it("auto continues without a sandbox and warns if bubblewrap does not work", async () => {
    const program = new Program([driver], { SANDBOX: "auto" }, withoutNamespaces);
    await program.waitForOutput("sandbox off");
    expect(program.stdout).toContain("WARNING: engines run without a sandbox");
    expect(program.stdout).toContain("SANDBOX=off allows all of it.");
  });

  it("required fails with the reason if bubblewrap does not work", async () => {
    const program = new Program([driver], { SANDBOX: "required" }, withoutNamespaces);
    const { code, stderr } = await program.exited;
    expect(code).toBe(1);
    expect(stderr).toContain("SANDBOX=required, but bubblewrap cannot create a sandbox");
  });
});

describe("control groups", () => {
  it("of a killed process are removed by the next process", async () => {
    const program = new Program([driver]);
    await program.waitForOutput("engine started");
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

  it("of a process that exits are removed by itself", async () => {
    const program = new Program([driver, "exit"]);
    await program.exited;
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
    ["unfiltered", "watch", "watch", /no network.*WARNING: their system calls are not filtered/],
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
