import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { readPid } from "./targets.ts";

const jobId = /job_[0-9A-Za-z]{24}/;

/**
 * Finds what no running process or stored job uses any longer: processes in the sandboxes of runners
 * that are gone, the folders of these runners, work folders of finished jobs, partially stored files,
 * and stored files without a job.
 */
export async function findOrphans(dataDir: string, sql: postgres.Sql): Promise<string[]> {
  const media = readPid(dataDir, "media");
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

/** Processes that have a runner's folder mounted. `owner` is the name of the folder, `host.pid`. */
function findSandboxed(dataDir: string): { pid: string; owner: string }[] {
  if (process.platform !== "linux") return [];
  const prefix = `${dataDir}/work/`;
  return listFolder("/proc", false)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const mounts = readText(`/proc/${pid}/mountinfo`);
      const at = mounts.indexOf(prefix);
      if (at < 0) return [];
      return [{ pid, owner: mounts.slice(at + prefix.length).split(/[/ \n]/, 1)[0] ?? "" }];
    });
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // the process ended in between
  }
}

/** Names in a folder, with `recursive` also in its subfolders; empty if the folder does not exist. */
export function listFolder(folder: string, recursive: boolean): string[] {
  try {
    return readdirSync(folder, { recursive }).map(String);
  } catch {
    return []; // never created, or deleted in between
  }
}
