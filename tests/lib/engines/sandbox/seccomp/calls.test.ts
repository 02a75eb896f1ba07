import { existsSync } from "node:fs";
import { constants } from "node:os";
import { describe, expect, it, onTestFinished } from "vitest";
import { currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import type { SpawnRequest } from "#lib/engines/sandbox/spawn.ts";
import { SlotFolder } from "#lib/engines/warm/slot-folder.ts";
import { architectures, checkedCalls, deniedCalls } from "#lib/formats/seccomp/system-calls.ts";
import { answersOf, type Calls, kernelFiles } from "#tests/support/call-answers.ts";
import { engineCommands } from "#tests/support/engine-views.ts";

/** What a program that has taken over an engine gets from the kernel. */

const { EPERM, ENOSYS, EAFNOSUPPORT } = constants.errno;

const sandbox = await currentSandbox();

const { column } = architectures[process.arch === "arm64" ? "arm64" : "x64"];

/** The calls of the table that this architecture has. */
const denied: [string, readonly [number, number]][] = Object.entries(deniedCalls).flatMap(
  ([name, numbers]) => {
    const number = numbers[column];
    return number === null ? [] : [[name, [number, -1]] as const];
  },
);

const newUser = 0x10000000;
const newMount = 0x20000;
const threadSignal = 17;

const checked = [
  ["clone3", [checkedCalls.clone3[column], 0]],
  ["clone in a user namespace", [checkedCalls.clone[column], newUser | threadSignal]],
  ["clone in a mount namespace", [checkedCalls.clone[column], newMount | threadSignal]],
  ["unshare of the user namespace", [checkedCalls.unshare[column], newUser]],
  ["unshare of the mount namespace", [checkedCalls.unshare[column], newMount]],
  ["netlink", [checkedCalls.socket[column], 16]],
  ["packet", [checkedCalls.socket[column], 17]],
  ["AF_ALG", [checkedCalls.socket[column], 38]],
  ["AF_VSOCK", [checkedCalls.socket[column], 40]],
] as const;

const calls: Calls = Object.fromEntries([...denied, ...checked]);

/** Runs the calls in bubblewrap: outside, root could change the machine with some of them. */
const run = (request: SpawnRequest) => answersOf({ ...sandbox, level: "full" }, request, calls);

async function emptySlot(): Promise<SlotFolder> {
  const slot = await SlotFolder.create("image");
  onTestFinished(() => slot.remove());
  return slot;
}

const { Chromium: chromium = missing, ...others } = engineCommands;

function missing(): never {
  throw new Error("the browser is not among the engines");
}

const refused = Object.fromEntries(denied.map(([name]) => [name, EPERM]));
const refusedSockets = {
  netlink: EAFNOSUPPORT,
  packet: EAFNOSUPPORT,
  AF_ALG: EAFNOSUPPORT,
  AF_VSOCK: EAFNOSUPPORT,
};

describe.each(Object.entries(others))("%s", (_, command) => {
  it("gets no dangerous call, no Internet socket and no file of the kernel", async () => {
    const { answers, opened, loopback, filters } = await run(command(await emptySlot(), "full"));
    expect(answers).toEqual({
      ...refused,
      ...refusedSockets,
      clone3: ENOSYS,
      "clone in a user namespace": EPERM,
      "clone in a mount namespace": EPERM,
      "unshare of the user namespace": EPERM,
      "unshare of the mount namespace": EPERM,
    });
    expect({ opened, loopback, filters }).toEqual({
      opened: [],
      loopback: EAFNOSUPPORT,
      filters: ["2"],
    });
  });
});

describe("Chromium", () => {
  it("gets user namespaces and loopback for its own sandbox and its proxy, nothing else", async () => {
    const { answers, opened, loopback } = await run(chromium(await emptySlot(), "full"));
    expect(answers).toEqual({
      ...refused,
      ...refusedSockets,
      clone3: ENOSYS,
      "clone in a user namespace": 0,
      "clone in a mount namespace": EPERM,
      "unshare of the user namespace": 0,
      "unshare of the mount namespace": EPERM,
    });
    expect({ opened, loopback }).toEqual({ opened: [], loopback: 0 });
  });
});

it("the kernel itself answers some of the calls otherwise", async () => {
  const names = ["process_vm_readv", "kcmp", "add_key", "clone3", "netlink"];
  const harmless = Object.fromEntries(
    names.map((name) => [name, calls[name] ?? ([-1, 0] as const)]),
  );
  const request = { command: "", args: [], folder: (await emptySlot()).root };
  const found = await answersOf({ ...sandbox, level: "off" }, request, harmless);
  const { netlink, ...others } = found.answers;
  expect(Object.values(others)).not.toContain(EPERM);
  expect(netlink).not.toBe(EAFNOSUPPORT);
  expect(found).toMatchObject({ loopback: 0, filters: ["0"] });
  expect(kernelFiles.some((path) => existsSync(path))).toBe(true);
});
