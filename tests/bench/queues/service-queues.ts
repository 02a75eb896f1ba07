import postgres from "postgres";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { type Stack, startStack } from "#tests/service/stack.ts";
import { LoadGenerator } from "../load/load.ts";
import { planSharpening } from "../load/small-jobs.ts";
import { measureInTurns } from "../report/rows.ts";

/** The whole service, as `npm start` runs it, under each queue: `image/sharpen` over HTTP. */
export interface ServiceFigures {
  /**
   * The times from the acceptance of a job to its start, in milliseconds: 200 jobs, each sent when
   * the one before has ended.
   */
  readonly startsMs: readonly number[];
  /** Jobs per second of 8 senders, by round. */
  readonly jobsPerSecond: readonly number[];
}

const rounds = 3;
const jobsOfRound = 150;
const embedded = { INNGEST_BASE_URL: "", INNGEST_EVENT_KEY: "", INNGEST_SIGNING_KEY: "" };

/** Measures both services in turns. `variables` are those of Inngest. */
export async function measureServices(
  variables: Record<string, string>,
): Promise<Record<"embedded" | "inngest", ServiceFigures>> {
  const generator = await LoadGenerator.start();
  const stacks: Stack[] = [];
  const start = async (more: Record<string, string>) => {
    const stack = await startStack({ MEDIA_CONCURRENCY: "2", LOG_LEVEL: "warn", ...more });
    stacks.push(stack);
    return { stack, plan: await planSharpening(stack, 320, 240) };
  };
  type Side = Awaited<ReturnType<typeof start>>;

  async function measureStarts({ stack, plan }: Side): Promise<number[]> {
    await generator.send({ ...plan, clients: 1, requests: 200 });
    const sql = postgres((await findRunningDatabase(stack.dataDir)) ?? "", { max: 1 });
    const rows = await sql<{ ms: number }[]>`
      select extract(epoch from started_at - created_at)::float * 1000 as ms
      from jobs where operation = 'image/sharpen' order by created_at desc limit 200`;
    await sql.end();
    return rows.map(({ ms }) => ms);
  }

  async function measureRate({ plan }: Side): Promise<{ value: number }> {
    const { seconds } = await generator.send({ ...plan, clients: 8, requests: jobsOfRound });
    return { value: jobsOfRound / seconds };
  }

  try {
    const sides = { embedded: await start(embedded), inngest: await start(variables) };
    const rates = await measureInTurns(
      {
        embedded: () => measureRate(sides.embedded),
        inngest: () => measureRate(sides.inngest),
      },
      { rounds },
    );
    const of = async (side: "embedded" | "inngest"): Promise<ServiceFigures> => ({
      startsMs: await measureStarts(sides[side]),
      jobsPerSecond: rates[side].values,
    });
    return { embedded: await of("embedded"), inngest: await of("inngest") };
  } finally {
    await generator.stop();
    for (const stack of stacks) await stack.stop();
  }
}
