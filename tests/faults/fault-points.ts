import { request } from "node:http";
import { join } from "node:path";
import postgres from "postgres";
import { type FaultPoint, faultPoints } from "#lib/no-faults.ts";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { waitUntil } from "../support/processes.ts";
import type { ArmedFault } from "./faults.ts";
import { listFolder } from "./orphans.ts";
import type { FaultService } from "./service.ts";
import { readPid } from "./targets.ts";

/** A point in the life of a job at which the process that works on it can be held. */
export interface HoldPoint {
  readonly name: string;
  /** Arms the point: the next process that reaches it is held there. */
  hold(service: FaultService): Promise<HeldPoint>;
}

export interface HeldPoint {
  /** Resolves once a process is held. */
  reached(): Promise<unknown>;
  /** Releases the process if it still runs. */
  release(): Promise<void>;
}

/** Timeout until a point is reached; generous, for a machine under load. */
const reachTimeoutMs = 60_000;

/** Selects the hit for points that other work than the job itself reaches too. */
const faultFilters: Partial<Record<FaultPoint, Omit<ArmedFault, "action">>> = {
  // The first engine call only probes the file.
  "in-engine": { subject: "job_", hit: 2 },
  "while-storing": { subject: "outputs/" },
};

function createHoldPoint(name: FaultPoint): HoldPoint {
  return {
    name,
    async hold({ plan }) {
      plan.arm(name, { action: "hold", ...faultFilters[name] });
      return {
        reached: () => plan.reached(name, reachTimeoutMs),
        release: async () => plan.release(name),
      };
    },
  };
}

/**
 * The built web app has no fault points. The database holds it instead: with a lock on a table that
 * its transaction writes, or on its commit.
 */
const acceptancePoints: readonly HoldPoint[] = [
  { name: "while-uploading", hold: holdUpload },
  { name: "before-commit", hold: (service) => holdWithLock(service, usageLock) },
  { name: "in-commit", hold: (service) => holdWithLock(service, commitLock) },
  { name: "before-response", hold: holdResponse },
];

interface Lock {
  /** The `wait_event` in `pg_stat_activity` of a session that waits for this lock. */
  readonly waitEvent: string;
  take(sql: postgres.ReservedSql): Promise<unknown>;
}

const usageLock: Lock = {
  waitEvent: "relation",
  take: (sql) => sql`begin; lock table usage_days in share mode`.simple(),
};

const gateKey = 0x6d6d6761;

/** A trigger takes an advisory lock when a transaction that inserted a job commits. */
const commitLock: Lock = {
  waitEvent: "advisory",
  take: (sql) =>
    sql`
    create or replace function pass_gate() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(${sql.unsafe(String(gateKey))}); return null; end';
    drop trigger if exists gate on jobs;
    create constraint trigger gate after insert on jobs
      deferrable initially deferred for each row execute function pass_gate();
    select pg_advisory_lock(${sql.unsafe(String(gateKey))})`.simple(),
};

async function holdWithLock(service: FaultService, lock: Lock): Promise<HeldPoint> {
  const url = (await findRunningDatabase(service.stack.dataDir)) ?? "";
  const pool = postgres(url, { max: 1, onnotice: () => {} });
  const session = await pool.reserve();
  await lock.take(session);
  return {
    reached: () =>
      waitUntil(async () => {
        const waiting = await service.sql(
          (sql) => sql`
            select 1 from pg_stat_activity
            where application_name = 'mediamill-web'
              and wait_event_type = 'Lock' and wait_event = ${lock.waitEvent}`,
        );
        return waiting.length > 0;
      }, reachTimeoutMs),
    // PostgreSQL releases all locks of a session that ends.
    release: () => pool.end({ timeout: 0 }),
  };
}

/** Holds an upload: the client has sent only half of its file. */
async function holdUpload({ stack }: FaultService): Promise<HeldPoint> {
  const type = "multipart/form-data; boundary=b";
  const upload = request(`${stack.url}/v1/pipeline/file-inspect`, {
    method: "POST",
    headers: { "x-api-key": stack.apiKey, "content-type": type, "content-length": 1_000_000 },
  });
  upload.on("error", () => {}); // expected: the upload is aborted
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="half.txt"\r\n\r\n';
  upload.write(head + "half".repeat(100_000));
  const storage = join(stack.dataDir, "storage");
  const isStoring = () => listFolder(storage, true).some((name) => name.endsWith(".part"));
  return {
    reached: () => waitUntil(isStoring, reachTimeoutMs),
    release: async () => void upload.destroy(),
  };
}

/** Holds the response: the job is committed, but the web process was stopped before it noticed. */
async function holdResponse(service: FaultService): Promise<HeldPoint> {
  const commit = await holdWithLock(service, commitLock);
  const { dataDir } = service.stack;
  let webPid = 0;
  return {
    async reached() {
      await commit.reached();
      const count = () => service.sql(async (sql) => (await sql`select 1 from jobs`).length);
      const before = await count();
      webPid = readPid(dataDir, "web") ?? 0;
      process.kill(webPid, "SIGSTOP");
      await commit.release();
      await waitUntil(async () => (await count()) > before, reachTimeoutMs);
    },
    async release() {
      if (readPid(dataDir, "web") !== webPid) return;
      try {
        process.kill(webPid, "SIGCONT");
      } catch (error) {
        // The file may still name a process that was killed.
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    },
  };
}

/** All points from before a job is stored until its webhook has been recorded as delivered. */
export const holdPoints: readonly HoldPoint[] = [
  ...acceptancePoints,
  ...faultPoints.map(createHoldPoint),
];

export function findHoldPoint(name: string): HoldPoint {
  const found = holdPoints.find((point) => point.name === name);
  if (!found) throw new Error(`unknown fault point ${name}`);
  return found;
}
