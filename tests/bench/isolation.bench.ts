import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchRow } from "./report/rows.ts";

/** The rows of `engines/isolation-jobs.ts` with this `ENGINE_ISOLATION`. */
async function measure(ENGINE_ISOLATION: "shared" | "account"): Promise<BenchRow[]> {
  const DATA_DIR = await mkdtemp(join(tmpdir(), "mediamill-isolation-"));
  try {
    const child = fork(join(import.meta.dirname, "engines/isolation-jobs.ts"), {
      env: { ...process.env, ENGINE_ISOLATION, DATA_DIR, LOG_LEVEL: "warn" },
    });
    const exited = once(child, "exit");
    const [rows] = await Promise.race([once(child, "message"), exited.then(() => [[]])]);
    await exited;
    return rows;
  } finally {
    await rm(DATA_DIR, { recursive: true, force: true });
  }
}

/** What it costs that a warm process never serves two accounts. */
export default {
  title: "isolation",
  async run(): Promise<BenchRow[]> {
    const rows = [...(await measure("shared")), ...(await measure("account"))];
    return rows.toSorted((one, other) => one.row.localeCompare(other.row));
  },
};
