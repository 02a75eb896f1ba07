import { readdirSync } from "node:fs";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { currentSandbox } from "#lib/engines/sandbox/current-sandbox.ts";
import { spawnProcess } from "#lib/engines/sandbox/spawn.ts";
import { findFontCache } from "#lib/engines/sandbox/view/fonts.ts";
import { temporaryFolder } from "#tests/support/processes.ts";
import { engineLimits } from "#tests/support/sandbox/engine-limits.ts";

/** What a process that draws text can read, so that it need not read all font files of the system. */

/** The folders that fontconfig looks for caches in, and what is there. */
const listCaches = String.raw`
for folder in /var/cache/fontconfig "$(sed -n 's|.*<cachedir>\(.*\)</cachedir>.*|\1|p' "$FONTCONFIG_FILE")"; do
  ls "$folder"
done 2>/dev/null; exit 0`;

const full = { ...(await currentSandbox()), level: "full" } as const;

describe.each([
  ["in a copy of a template", { ...full, prepares: true }],
  ["in a sandbox of bubblewrap", { ...full, prepares: false }],
  ["at the level strict", { ...full, level: "strict" }],
] as const)("%s", (_, sandbox) => {
  it("the caches that the set-up wrote are readable", async () => {
    const request = { command: "sh", args: ["-c", listCaches], folder: await temporaryFolder() };
    const running = await spawnProcess(sandbox, request, engineLimits);
    running.child.stdin.end();
    const found = (await text(running.child.stdout)).split("\n").filter(Boolean);
    await running.waitForEnd();
    const written = readdirSync(findFontCache() ?? "");
    expect(written).toContain("fonts.conf");
    expect(written.filter((name) => /\.cache-\d+$/.test(name)).length).toBeGreaterThan(10);
    expect(found).toEqual(expect.arrayContaining(written));
  });
});
