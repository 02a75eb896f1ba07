import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { findCgroupParents } from "#lib/engines/sandbox/cgroup-hierarchies.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

/** The files of a hierarchy, by their paths below the mount, as the kernel would show them. */
async function mount(files: Record<string, string>): Promise<string> {
  const point = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(point, path)), { recursive: true });
    writeFileSync(join(point, path), content);
  }
  return point;
}

const unified = (point: string, root = "/") =>
  `31 23 0:27 ${root} ${point} rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate`;

const first = (point: string, controller: string, root = "/") =>
  `35 31 0:32 ${root} ${point} rw,relatime - cgroup cgroup rw,${controller}`;

const all = "cpuset cpu io memory pids";

describe("version 2", () => {
  it("groups go where the own group lets its groups have limits", async () => {
    const point = await mount({ "a/cgroup.subtree_control": all, "a/cgroup.controllers": all });
    expect(findCgroupParents({ mounts: unified(point), membership: "0::/a" })).toEqual([
      { version: 2, folder: join(point, "a"), controllers: ["memory", "pids"] },
    ]);
  });

  it("beside the own group, where that holds processes and the one above lets it", async () => {
    const point = await mount({
      "user.slice/cgroup.subtree_control": "memory pids",
      "user.slice/session-1.scope/cgroup.subtree_control": "",
      "user.slice/session-1.scope/memory.max": "max\n",
    });
    const membership = "0::/user.slice/session-1.scope";
    expect(findCgroupParents({ mounts: unified(point), membership })).toEqual([
      { version: 2, folder: join(point, "user.slice"), controllers: ["memory", "pids"] },
    ]);
  });

  it("not past a limit that was set for the service", async () => {
    const point = await mount({
      "system.slice/cgroup.subtree_control": "memory pids",
      "system.slice/mediamill.service/cgroup.subtree_control": "",
      "system.slice/mediamill.service/memory.max": "4294967296\n",
    });
    const membership = "0::/system.slice/mediamill.service";
    expect(findCgroupParents({ mounts: unified(point), membership })).toEqual([]);
  });

  it("in a container, whose own processes go to a leaf first", async () => {
    const point = await mount({
      "cgroup.type": "domain",
      "cgroup.controllers": all,
      "cgroup.subtree_control": "",
      "cgroup.procs": "",
    });
    const [place] = findCgroupParents({ mounts: unified(point), membership: "0::/" });
    expect(place?.folder).toBe(point);
    expect(readFileSync(join(point, "cgroup.subtree_control"), "utf8")).toBe("+memory +pids");
  });

  it("nowhere at the root of a machine that hands nothing down", async () => {
    const point = await mount({ "cgroup.controllers": all, "cgroup.subtree_control": "" });
    const places = findCgroupParents({ mounts: unified(point), membership: "0::/" });
    expect(places.filter(() => process.getuid?.() === 0)).toEqual([]);
  });
});

describe("version 1", () => {
  it("each controller has a hierarchy and a path of its own", async () => {
    const [memory, pids] = [await mount({ "m/tasks": "" }), await mount({ tasks: "" })];
    const mounts = [first(memory, "memory"), first(pids, "pids"), unified(await mount({}))];
    const membership = "4:memory:/m\n8:pids:/\n0::/";
    const places = findCgroupParents({ mounts: mounts.join("\n"), membership });
    expect(places.filter(({ version }) => version === 1)).toEqual([
      { version: 1, folder: join(memory, "m"), controllers: ["memory"] },
      { version: 1, folder: pids, controllers: ["pids"] },
    ]);
  });

  it("a container sees its own part of the hierarchy as the whole", async () => {
    const point = await mount({ tasks: "" });
    const facts = {
      mounts: first(point, "memory", "/docker/4f2a"),
      membership: "4:memory:/docker/4f2a",
    };
    expect(findCgroupParents(facts)).toMatchObject([{ folder: point, controllers: ["memory"] }]);
  });

  it("blanks in a mount's path are read", async () => {
    const point = await mount({ "a b/tasks": "" });
    const mounts = first(join(point, "a b").replaceAll(" ", "\\040"), "memory");
    expect(findCgroupParents({ mounts, membership: "4:memory:/" })).toHaveLength(1);
  });
});

it.each([
  ["no control groups", { mounts: "", membership: "" }],
  [
    "a mount that is gone",
    { mounts: first("/nowhere/at/all", "memory"), membership: "4:memory:/" },
  ],
])("with %s there is no place", (_, facts) => {
  expect(findCgroupParents(facts)).toEqual([]);
});
