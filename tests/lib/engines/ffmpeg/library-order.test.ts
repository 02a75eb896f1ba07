import { spawnSync } from "node:child_process";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import {
  librariesToLoadFirst,
  loadLibrariesFirst,
  orderLibraries,
} from "#lib/engines/ffmpeg/command/library-order.ts";

/**
 * Finds, for each library and name that the loader searches for `command`, the library that has it.
 */
function bindingsOf(command: string, variables: Record<string, string> = {}): Map<string, string> {
  const { stderr } = spawnSync(command, ["-version"], {
    env: { ...process.env, LD_DEBUG: "bindings", ...variables },
    maxBuffer: 2 ** 26,
  });
  const pattern = /binding file (\S+) \[0\] to (\S+) \[0\]: \S+ symbol `([^']+)'/g;
  return new Map(
    [...stderr.toString().matchAll(pattern)].map(([, from, to = "", name]) => [
      `${from} ${name}`,
      to,
    ]),
  );
}

/** They have copies of functions of each other, and of the templates that other libraries have as well. */
const runtimes = /^lib(c|m|stdc\+\+)\.so/;

describe.each(["ffmpeg", "ffprobe"] as const)("the libraries of %s", (command) => {
  it("are found, and no function comes from another library than in the usual order", async () => {
    const libraries = await librariesToLoadFirst(command);
    expect(libraries.length).toBeGreaterThan(3);
    const usual = bindingsOf(command);
    expect(usual.size).toBeGreaterThan(1000);
    const faster = bindingsOf(command, { LD_PRELOAD: libraries.join(":") });
    const moved = [...faster].filter(([name, library]) => usual.get(name) !== library);
    expect(moved.filter(([, library]) => !runtimes.test(basename(library)))).toEqual([]);
  });

  it("are loaded first by the command itself, not by what starts it", async () => {
    const preload = `LD_PRELOAD=${(await librariesToLoadFirst(command)).join(":")}`;
    expect(await loadLibrariesFirst(command, ["-i", "a"])).toEqual({
      command: "env",
      args: [preload, command, "-i", "a"],
    });
  });
});

it("takes the paths of ldd's list in the order of use, and none of a static program", () => {
  const listed = [
    "\tlinux-vdso.so.1 (0x00007ffd)",
    "\tlibc.so.6 => /lib/libc.so.6 (0x00007f)",
    "\tlibcrypto.so.3 => /lib/libcrypto.so.3 (0x00007f)",
    "\tlibcurl.so.4 => /lib/libcurl.so.4 (0x00007f)",
    "\tlibgone.so.1 => not found",
    "\tlibm.so.6 => /lib/libm.so.6 (0x00007f)",
    "\t/lib64/ld-linux-x86-64.so.2 (0x00007f)",
  ];
  expect(orderLibraries(listed.join("\n"))).toEqual([
    "/lib/libm.so.6",
    "/lib/libc.so.6",
    "/lib/libcrypto.so.3",
  ]);
  expect(orderLibraries("\tnot a dynamic executable\n")).toEqual([]);
});
