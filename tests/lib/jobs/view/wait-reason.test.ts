import { sql } from "drizzle-orm";
import { describe, expect, it } from "vitest";
import { db } from "#lib/db/client.ts";
import { describeWait, explainWait } from "#lib/jobs/view/wait-reason.ts";
import { acceptJob, makeAccount, readJob } from "#tests/service/jobs.ts";

const job = { attempts: 1, runnerDeaths: 0, plan: "free" } as const;
const queued = { queuedMs: 5000, engineMs: 0 };

describe("why a job waited", () => {
  it.each([
    [{ ...job, runnerDeaths: 1 }, queued, undefined, "its runner was lost, and another"],
    [{ ...job, runnerDeaths: 3 }, queued, undefined, "its runner was lost 3 times"],
    [{ ...job, attempts: 2 }, queued, undefined, "an attempt failed, and it was tried again"],
    [job, { queuedMs: 10, engineMs: 5000 }, undefined, "all engines of its runner were busy"],
    [job, queued, { running: 2, waiting: 0 }, "All 2 slots of the plan free were in use."],
    [job, queued, { running: 2, waiting: 1 }, "were in use, and 1 job waited before it."],
    [job, queued, { running: 0, waiting: 1 }, "1 job of this account came before it."],
    [job, queued, { running: 0, waiting: 0 }, "no runner was free"],
  ] as const)("%j, %j, %j: %s", (given, waits, before, text) => {
    expect(describeWait(given, waits, before)).toContain(text);
  });

  it("counts the jobs of the account that had not ended when the job was created", async () => {
    const account = await makeAccount("free");
    const other = await makeAccount("free");
    const created = async (owner: typeof account, from: number, start: number, end: number) => {
      const { id } = await acceptJob(owner);
      const time = (at: number) => sql`now() + make_interval(secs => ${at - 100})`;
      await db().execute(sql`update jobs set created_at = ${time(from)}, started_at = ${time(start)},
        completed_at = ${time(end)}, status = 'completed', attempts = 1 where id = ${id}`);
      return id;
    };
    await created(account, 0, 1, 2);
    await created(account, 3, 3, 20);
    await created(account, 4, 4, 21);
    await created(account, 5, 20, 22);
    await created(other, 5, 6, 30);
    const id = await created(account, 10, 22, 23);
    await created(account, 11, 23, 24);
    const reason = async (of: string) => explainWait(db(), await readJob(of), new Date());
    expect(await reason(id)).toBe(
      "All 2 slots of the plan free were in use, and 1 job waited before it.",
    );
    expect(await reason(await created(account, 40, 40.5, 41))).toBeUndefined();
  });
});
