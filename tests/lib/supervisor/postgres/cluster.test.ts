import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findBinaries } from "#lib/supervisor/postgres/binaries.ts";
import { openCluster } from "#lib/supervisor/postgres/cluster.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

/** What initdb prints on a disk that is full. */
const output = `2026-01-01 00:00:00.000 UTC [1] FATAL:  could not write to file "base/4/1249": No space left on device
2026-01-01 00:00:00.000 UTC [1] STATEMENT:  CREATE DATABASE template0;
child process exited with exit code 1
initdb: removing contents of data directory`;

test("a database that cannot be created is one line with the first error", async () => {
  const folder = await temporaryFolder();
  // The user of the database starts it, who is another one for root.
  chmodSync(folder, 0o755);
  const initdb = join(folder, "initdb");
  writeFileSync(initdb, `#!/bin/sh\ncat >&2 <<'END'\n${output}\nEND\nexit 1\n`, { mode: 0o755 });
  expect(() => openCluster(folder, { ...findBinaries(), initdb })).toThrow(
    /^DATA_DIR: the database cannot be set up: initdb: could not write to file "base\/4\/1249": No space left on device$/,
  );
});
