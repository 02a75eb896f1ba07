import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCgroupParents } from "#lib/engines/sandbox/cgroup-hierarchies.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

/** Creates a mounted hierarchy with the files that the kernel would show, by their paths. */
async function mount(files: Record<string, string>): Promise<string> {
  const point = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(point, path)), { recursive: true });
    writeFileSync(join(point, path), content);
  }
  return point;
}

const version2Mount = (point: string, root = "/") =>
  `31 23 0:27 ${root} ${point} rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate`;

const version1Mount = (point: string, controller: string, root = "/") =>
  `35 31 0:32 ${root} ${point} rw,relatime - cgroup cgroup rw,${controller}`;

const all = "cpuset cpu io memory pids";

describe("version 2", () => {
  it("uses the group of the process if it may contain limited groups", async () => {
    const point = await mount({ "a/cgroup.subtree_control": all, "a/cgroup.controllers": all });
    expect(findCgroupParents({ mounts: version2Mount(point), membership: "0::/a" })).toEqual([
      { version: 2, folder: join(point, "a"), controllers: ["memory", "pids"] },
    ]);
  });

  it("uses the group above if that of the process contains processes", async () => {
    const point = await mount({
      "user.slice/cgroup.subtree_control": "memory pids",
      "user.slice/session-1.scope/cgroup.subtree_control": "",
      "user.slice/session-1.scope/memory.max": "max\n",
    });
    const membership = "0::/user.slice/session-1.scope";
    expect(findCgroupParents({ mounts: version2Mount(point), membership })).toEqual([
      { version: 2, folder: join(point, "user.slice"), controllers: ["memory", "pids"] },
    ]);
  });

  it("does not leave a limit that was set for the service", async () => {
    const point = await mount({
      "system.slice/cgroup.subtree_control": "memory pids",
      "system.slice/mediamill.service/cgroup.subtree_control": "",
      "system.slice/mediamill.service/memory.max": "4294967296\n",
    });
    const membership = "0::/system.slice/mediamill.service";
    expect(findCgroupParents({ mounts: version2Mount(point), membership })).toEqual([]);
  });

  it("uses the root group of a container, whose processes are moved to a leaf", async () => {
    const point = await mount({
      "cgroup.type": "domain",
      "cgroup.controllers": all,
      "cgroup.subtree_control": "",
      "cgroup.procs": "",
    });
    const [parent] = findCgroupParents({ mounts: version2Mount(point), membership: "0::/" });
    expect(parent?.folder).toBe(point);
    expect(readFileSync(join(point, "cgroup.subtree_control"), "utf8")).toBe("+memory +pids");
  });

  it("does not use the root group of a machine without delegation", async () => {
    const point = await mount({ "cgroup.controllers": all, "cgroup.subtree_control": "" });
    const parents = findCgroupParents({ mounts: version2Mount(point), membership: "0::/" });
    expect(parents.filter(() => process.getuid?.() === 0)).toEqual([]);
  });
});

describe("version 1", () => {
  it("finds a hierarchy and a path for each controller", async () => {
    const memory = await mount({ "m/tasks": "" });
    const pids = await mount({ tasks: "" });
    const mounts = [
      version1Mount(memory, "memory"),
      version1Mount(pids, "pids"),
      version2Mount(await mount({})),
    ];
    const membership = "4:memory:/m\n8:pids:/\n0::/";
    const parents = findCgroupParents({ mounts: mounts.join("\n"), membership });
    expect(parents.filter(({ version }) => version === 1)).toEqual([
      { version: 1, folder: join(memory, "m"), controllers: ["memory"] },
      { version: 1, folder: pids, controllers: ["pids"] },
    ]);
  });

  it("uses the mount point in a container, which mounts a subgroup as the root", async () => {
    const point = await mount({ tasks: "" });
    const info = {
      mounts: version1Mount(point, "memory", "/docker/4f2a"),
      membership: "4:memory:/docker/4f2a",
    };
    expect(findCgroupParents(info)).toMatchObject([{ folder: point, controllers: ["memory"] }]);
  });

  it("reads spaces in the path of a mount", async () => {
    const point = await mount({ "a b/tasks": "" });
    const mounts = version1Mount(join(point, "a b").replaceAll(" ", "\\040"), "memory");
    expect(findCgroupParents({ mounts, membership: "4:memory:/" })).toHaveLength(1);
  });
});

it.each([
  ["no control groups", { mounts: "", membership: "" }],
  [
    "a mount that does not exist",
    { mounts: version1Mount("/nowhere/at/all", "memory"), membership: "4:memory:/" },
  ],
])("finds no group with %s", (_, info) => {
  expect(findCgroupParents(info)).toEqual([]);
});
