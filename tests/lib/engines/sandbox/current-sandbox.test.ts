import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCgroupParents, readCgroupInfo } from "#lib/engines/sandbox/cgroup-hierarchies.ts";
import { closeSandbox, reportSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { describeSandbox } from "#lib/engines/sandbox/describe-sandbox.ts";
import { Program, waitUntil } from "#tests/support/processes.ts";

/** A program that reports its sandbox and starts an engine, as a runner does. */
const driver = join(import.meta.dirname, "../../../support/sandbox-driver.ts");

/** A command prefix that disables user namespaces, so that bubblewrap cannot work. */
const withoutNamespaces = [
  ...["unshare", "--user", "--map-root-user", "sh", "-c"],
  'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"',
  "sh",
];

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
  });

  it("auto continues without a sandbox and warns if bubblewrap does not work", async () => {
    const program = new Program([driver], { SANDBOX: "auto" }, withoutNamespaces);
    await program.waitForOutput("sandbox off");
    expect(program.stdout).toContain("WARNING: engines run without a sandbox");
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
    [
      "off",
      "watch",
      "watch",
      /WARNING: engines run without a sandbox.*checked four times per second/,
    ],
  ] as const)("sandbox %s, memory %s, processes %s", (sandbox, memory, processes, words) => {
    const lines = describeSandbox({ sandbox, limits: { memory, processes } });
    expect(lines.join(" ")).toMatch(words);
  });
});
