import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { pidOf } from "./targets.ts";

const jobId = /job_[0-9A-Za-z]{24}/;

/**
 * What belongs to nobody any more: processes in the sandboxes of runners that are gone, their
 * folders, folders of jobs that have ended, files that were not stored to their end or that no job has.
 */
export async function findLeftovers(dataDir: string, sql: postgres.Sql): Promise<string[]> {
  const media = pidOf(dataDir, "media");
  const isDead = (owner: string) => !owner.endsWith(`.${media}`);
  const list = (folder: string, recursive = true) => listFolder(join(dataDir, folder), recursive);
  const rows = await sql<{ id: string; status: string }[]>`select id, status from jobs`;
  const states = new Map(rows.map(({ id, status }) => [id, status]));
  const stateOf = (name: string) => states.get(jobId.exec(name)?.[0] ?? "");
  const work = list("work");
  const storage = list("storage");
  return [
    ...findSandboxed(dataDir)
      .filter(({ owner }) => isDead(owner))
      .map(({ pid, owner }) => `process ${pid} of ${owner}`),
    ...list("work", false)
      .filter(isDead)
      .map((name) => `work/${name}`),
    ...work
      .filter((name) => jobId.test(name) && !/pending|processing/.test(stateOf(name) ?? ""))
      .map((name) => `work/${name}`),
    ...storage
      .filter((name) => name.endsWith(".part") || (jobId.test(name) && !stateOf(name)))
      .map((name) => `storage/${name}`),
  ];
}

/** Processes that see a folder of a runner's: its name, `host.pid`, is among what they have mounted. */
function findSandboxed(dataDir: string): { pid: string; owner: string }[] {
  if (process.platform !== "linux") return [];
  const marker = `${dataDir}/work/`;
  return listFolder("/proc", false)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const mounts = readText(`/proc/${pid}/mountinfo`);
      const at = mounts.indexOf(marker);
      if (at < 0) return [];
      return [{ pid, owner: mounts.slice(at + marker.length).split(/[/ \n]/, 1)[0] ?? "" }];
    });
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // it ended while we looked
  }
}

/** Names in a folder, or below it as well; none where it does not exist. */
export function listFolder(folder: string, recursive: boolean): string[] {
  try {
    return readdirSync(folder, { recursive }).map(String);
  } catch {
    return []; // it went while we looked, or was never there
  }
}
