import { expect, it } from "vitest";
import { WarmPool, type WarmProcess } from "#lib/engines/warm/pool.ts";
import { engineRestarts } from "#lib/metrics.ts";

class FakeProcess implements WarmProcess {
  healthy = true;
  closed = false;
  async reset(): Promise<void> {}
  async close(): Promise<void> {
    this.closed = true;
  }
}

function createPool(engine: string, maxUses: number) {
  const started: FakeProcess[] = [];
  const start = async () => {
    const process = new FakeProcess();
    started.push(process);
    return process;
  };
  return { started, pool: new WarmPool<FakeProcess>({ engine, size: 1, maxUses, start }) };
}

async function restartsOf(engine: string): Promise<Record<string, number>> {
  const { values } = await engineRestarts.get();
  const matching = values.filter(({ labels }) => labels.engine === engine);
  return Object.fromEntries(matching.map(({ labels, value }) => [labels.reason, value]));
}

it("replaces a process after `maxUses` jobs and counts it as max_uses", async () => {
  const { pool, started } = createPool("max-uses-test", 2);
  for (let job = 0; job < 4; job++) await pool.run(async () => {});
  expect(started.filter(({ closed }) => closed)).toHaveLength(2);
  expect(await restartsOf("max-uses-test")).toEqual({ max_uses: 2 });
});

it.each([
  ["fails", async () => Promise.reject(new Error("crashed"))],
  [
    "leaves it unhealthy",
    async (process: FakeProcess) => {
      process.healthy = false;
    },
  ],
])("replaces a process whose job %s, once, and counts it as unhealthy", async (outcome, job) => {
  const { pool, started } = createPool(outcome, 10);
  await pool.run(job).catch(() => {});
  await pool.run(async (process) => expect(process.closed).toBe(false));
  expect(started[0]?.closed).toBe(true);
  expect(await restartsOf(outcome)).toEqual({ unhealthy: 1 });
});

it("keeps a process if the error is about the file", async () => {
  const { pool, started } = createPool("kept", 10);
  const reject = () =>
    pool.run(
      async () => Promise.reject(new Error("encrypted")),
      () => true,
    );
  await expect(reject()).rejects.toThrow("encrypted");
  await pool.run(async () => {});
  expect(started).toHaveLength(1);
  expect(await restartsOf("kept")).toEqual({});
});
