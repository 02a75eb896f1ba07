import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCgroupParents, readCgroupInfo } from "#lib/engines/sandbox/cgroup-hierarchies.ts";
import { closeSandbox, reportSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { describeSandbox } from "#lib/engines/sandbox/describe-sandbox.ts";
import { Program, waitUntil } from "#tests/support/processes.ts";

/** A runner's first step: finds its sandbox, starts an engine in it, tells both and waits. */
const driver = join(import.meta.dirname, "../../../support/sandbox-driver.ts");

/** In front of a command: it runs where nobody may make user namespaces, so that bubblewrap cannot work. */
const withoutNamespaces = [
  ...["unshare", "--user", "--map-root-user", "sh", "-c"],
  'echo 0 >/proc/sys/user/max_user_namespaces && exec "$@"',
  "sh",
];

/** The groups that the process `pid` has made. */
function groupsOf(pid: number | undefined): string[] {
  const facts = readCgroupInfo();
  const places = facts ? findCgroupParents(facts) : [];
  return places.flatMap(({ folder }) =>
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

  it("auto goes on without one where none can be made, and says so", async () => {
    const program = new Program([driver], { SANDBOX: "auto" }, withoutNamespaces);
    await program.waitForOutput("sandbox off");
    expect(program.stdout).toContain("WARNING: engines run without a sandbox");
  });

  it("required refuses to start there, and says why", async () => {
    const program = new Program([driver], { SANDBOX: "required" }, withoutNamespaces);
    const { code, stderr } = await program.exited;
    expect(code).toBe(1);
    expect(stderr).toContain("SANDBOX=required, but bubblewrap cannot make a sandbox");
  });
});

describe("control groups", () => {
  it("of a process that was killed are removed by the next one", async () => {
    const program = new Program([driver]);
    await program.waitForOutput("engine started");
    const { pid } = program.child;
    program.child.kill("SIGKILL");
    await program.exited;
    // Their processes end with the one that started them; then the groups can go.
    await waitUntil(async () => {
      await closeSandbox();
      await reportSandbox();
      return groupsOf(pid).length === 0;
    });
  });

  it("of a process that ends by itself are gone with it", async () => {
    const program = new Program([driver, "end"]);
    await program.exited;
    expect(groupsOf(program.child.pid)).toEqual([]);
  });
});

describe("an operator reads", () => {
  it.each([
    ["full", "cgroup v2", "cgroup v2", /no network.*limited by the kernel \(cgroup v2\)/],
    [
      "full",
      "watch",
      "rlimit",
      /memory is watched.*processes are limited by the kernel \(rlimit\)/,
    ],
    [
      "off",
      "watch",
      "watch",
      /WARNING: engines run without a sandbox.*watched four times a second/,
    ],
  ] as const)("%s, %s, %s", (sandbox, memory, processes, words) => {
    const lines = describeSandbox({ sandbox, limits: { memory, processes } });
    expect(lines.join(" ")).toMatch(words);
  });
});
