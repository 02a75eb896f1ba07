import { join } from "node:path";
import { expect, test } from "vitest";
import { withDatabase } from "#lib/supervisor/database/running-database.ts";
import { lockDataFolder } from "#lib/supervisor/start/data-folder.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

const neverUsed = () => Promise.reject(new Error("there is no database"));

test.each([
  [
    "service",
    /^The service in \S+ is starting, .* Try again when the service has printed its URL\.$/,
  ],
  ["admin", /^Another command uses the database in \S+\. Try again when it has ended\.$/],
] as const)(
  "a command that finds no database while %s holds its folder says why",
  async (holder, message) => {
    const folder = join(await temporaryFolder(), "data");
    const locked = lockDataFolder(folder, holder);
    const used = withDatabase(folder, { ifRunning: neverUsed, ifStopped: neverUsed }, 200);
    await expect(used).rejects.toThrow(message);
    if ("release" in locked) locked.release();
  },
);
