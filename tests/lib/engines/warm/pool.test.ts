import { expect, it } from "vitest";
import { WarmPool, type WarmWorker } from "#lib/engines/warm/pool.ts";
import { engineRestarts } from "#lib/metrics.ts";

class Worker implements WarmWorker {
  healthy = true;
  closed = false;
  async reset(): Promise<void> {}
  async close(): Promise<void> {
    this.closed = true;
  }
}

function open(engine: string, maxUses: number) {
  const started: Worker[] = [];
  const start = async () => {
    const worker = new Worker();
    started.push(worker);
    return worker;
  };
  return { started, pool: new WarmPool<Worker>({ engine, size: 1, maxUses, start }) };
}

async function restartsOf(engine: string): Promise<Record<string, number>> {
  const { values } = await engineRestarts.get();
  const own = values.filter(({ labels }) => labels.engine === engine);
  return Object.fromEntries(own.map(({ labels, value }) => [labels.reason, value]));
}

it("a process is replaced after its share of jobs, and that is counted as wear", async () => {
  const { pool, started } = open("worn-one", 2);
  for (let job = 0; job < 4; job++) await pool.use(async () => {});
  expect(started.filter(({ closed }) => closed)).toHaveLength(2);
  expect(await restartsOf("worn-one")).toEqual({ worn: 2 });
});

it.each([
  ["fails", async () => Promise.reject(new Error("crashed"))],
  [
    "leaves it unwell",
    async (worker: Worker) => {
      worker.healthy = false;
    },
  ],
])("a process whose job %s is replaced, and that is counted as doubt, once", async (how, job) => {
  const { pool, started } = open(how, 10);
  await pool.use(job).catch(() => {});
  await pool.use(async (worker) => expect(worker.closed).toBe(false));
  expect(started[0]?.closed).toBe(true);
  expect(await restartsOf(how)).toEqual({ doubt: 1 });
});

it("an answer about the file is no reason to replace a process", async () => {
  const { pool, started } = open("sound", 10);
  const refuse = () =>
    pool.use(
      async () => Promise.reject(new Error("encrypted")),
      () => true,
    );
  await expect(refuse()).rejects.toThrow("encrypted");
  await pool.use(async () => {});
  expect(started).toHaveLength(1);
  expect(await restartsOf("sound")).toEqual({});
});
