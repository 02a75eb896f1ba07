import { request } from "node:http";
import { join } from "node:path";
import postgres from "postgres";
import { type FaultPoint, faultPoints } from "#lib/no-faults.ts";
import { findRunningDatabase } from "#lib/supervisor/running-database.ts";
import { waitUntil } from "../support/processes.ts";
import type { ArmedFault } from "./faults.ts";
import { listFolder } from "./orphans.ts";
import type { FaultService } from "./service.ts";
import { pidOf } from "./targets.ts";

/** A moment of a job at which the process whose turn it is can be held. */
export interface Moment {
  readonly name: string;
  /** Arms it: whoever reaches it next is held there. */
  hold(service: FaultService): Promise<HeldMoment>;
}

export interface HeldMoment {
  /** Resolves once somebody is held. */
  reached(): Promise<unknown>;
  /** Lets go whoever still lives. */
  release(): Promise<void>;
}

/** How long a moment may take to come, on a machine that has much else to do. */
const reachMs = 60_000;

/** Where a moment is met by others than a job's own work, which hit is meant. */
const particulars: Partial<Record<FaultPoint, Omit<ArmedFault, "act">>> = {
  // The first engine only probes the file.
  "in-engine": { subject: "job_", hit: 2 },
  "while-storing": { subject: "outputs/" },
};

function faultMoment(name: FaultPoint): Moment {
  return {
    name,
    async hold({ plan }) {
      plan.arm(name, { act: "hold", ...particulars[name] });
      return {
        reached: () => plan.reached(name, reachMs),
        release: async () => plan.release(name),
      };
    },
  };
}

/**
 * The web app is built without fault points, so its moments are held from the database: a lock on
 * what its transaction writes, or on its commit.
 */
const acceptance: readonly Moment[] = [
  { name: "while-uploading", hold: holdUpload },
  { name: "before-commit", hold: async (service) => holdBy(service, queueLock) },
  { name: "in-commit", hold: async (service) => holdBy(service, commitLock) },
  { name: "before-answer", hold: holdAnswer },
];

interface Lock {
  /** What PostgreSQL says of a session that waits for it. */
  readonly event: string;
  take(sql: postgres.ReservedSql): Promise<unknown>;
}

const queueLock: Lock = {
  event: "relation",
  take: (sql) => sql`begin; lock table queue.job in share mode`.simple(),
};

const gate = 0x6d6d6761;

/** Every insert of a job passes a gate as it commits. */
const commitLock: Lock = {
  event: "advisory",
  take: (sql) =>
    sql`
    create or replace function pass_gate() returns trigger language plpgsql as
      'begin perform pg_advisory_xact_lock_shared(${sql.unsafe(String(gate))}); return null; end';
    drop trigger if exists gate on jobs;
    create constraint trigger gate after insert on jobs
      deferrable initially deferred for each row execute function pass_gate();
    select pg_advisory_lock(${sql.unsafe(String(gate))})`.simple(),
};

async function holdBy(service: FaultService, lock: Lock): Promise<HeldMoment> {
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
              and wait_event_type = 'Lock' and wait_event = ${lock.event}`,
        );
        return waiting.length > 0;
      }, reachMs),
    // Its session's end lets go of whatever it has locked.
    release: () => pool.end({ timeout: 0 }),
  };
}

/** A client that has sent half of its file. */
async function holdUpload({ stack }: FaultService): Promise<HeldMoment> {
  const type = "multipart/form-data; boundary=b";
  const upload = request(`${stack.url}/v1/pipeline/file-inspect`, {
    method: "POST",
    headers: { "x-api-key": stack.apiKey, "content-type": type, "content-length": 1_000_000 },
  });
  upload.on("error", () => {}); // as is meant
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="half.txt"\r\n\r\n';
  upload.write(head + "half".repeat(100_000));
  const storage = join(stack.dataDir, "storage");
  const isArriving = () => listFolder(storage, true).some((name) => name.endsWith(".part"));
  return {
    reached: () => waitUntil(isArriving, reachMs),
    release: async () => void upload.destroy(),
  };
}

/** The job is committed, and the web process, which is stopped, has not heard of it. */
async function holdAnswer(service: FaultService): Promise<HeldMoment> {
  const commit = await holdBy(service, commitLock);
  const { dataDir } = service.stack;
  let web = 0;
  return {
    async reached() {
      await commit.reached();
      const count = () => service.sql(async (sql) => (await sql`select 1 from jobs`).length);
      const before = await count();
      web = pidOf(dataDir, "web") ?? 0;
      process.kill(web, "SIGSTOP");
      await commit.release();
      await waitUntil(async () => (await count()) > before, reachMs);
    },
    async release() {
      if (pidOf(dataDir, "web") === web) process.kill(web, "SIGCONT");
    },
  };
}

/** From before a job is stored until its webhook has been recorded as delivered. */
export const moments: readonly Moment[] = [...acceptance, ...faultPoints.map(faultMoment)];

export function momentNamed(name: string): Moment {
  const found = moments.find((moment) => moment.name === name);
  if (!found) throw new Error(`there is no moment ${name}`);
  return found;
}
