import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WarmPool } from "#lib/engines/warm/pool.ts";
import { runForTenant, runWithoutKeepingWarm, sharedTenant } from "#lib/engines/warm/tenant.ts";
import type { WarmProcess } from "#lib/engines/warm/warm-process.ts";
import { env } from "#lib/env.ts";
import { engineRestarts } from "#lib/metrics.ts";

/** Runs a function without the tenant that tests have. */
const outside = AsyncLocalStorage.snapshot();

class FakeProcess implements WarmProcess {
  healthy = true;
  closed = false;
  async reset(): Promise<void> {}
  async close(): Promise<void> {
    this.closed = true;
  }
}

function createPool(engine: string, maxUses: number, size = 1, keptIdle = 0) {
  const started: FakeProcess[] = [];
  const start = async () => {
    const process = new FakeProcess();
    started.push(process);
    return process;
  };
  return { started, pool: new WarmPool<FakeProcess>({ engine, size, maxUses, keptIdle, start }) };
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

describe("tenants", () => {
  /** The number of the process, counted from the first one started, that serves a job of `tenant`. */
  const serve = ({ pool, started }: ReturnType<typeof createPool>, tenant: string) =>
    runForTenant(tenant, () => pool.run(async (process) => started.indexOf(process)));

  it.each([
    ["accounts that share", [sharedTenant, sharedTenant, sharedTenant], [0, 0, 0]],
    ["a visitor after the accounts", [sharedTenant, "visitor", sharedTenant], [0, 0, 1]],
    ["two visitors", ["visitor", "other"], [0, 1]],
    ["one account", ["account", "account"], [0, 0]],
    ["two accounts in turn", ["account", "other", "account", "other"], [0, 1, 2, 3]],
  ])("%s", async (name, tenants, expected) => {
    const created = createPool(`tenants-${name}`, 10);
    const served: number[] = [];
    for (const tenant of tenants) served.push(await serve(created, tenant));
    expect(served).toEqual(expected);
    const replaced = new Set(expected).size - 1;
    expect(created.started.filter(({ closed }) => closed)).toHaveLength(replaced);
    expect(await restartsOf(`tenants-${name}`)).toEqual(replaced > 0 ? { tenant: replaced } : {});
  });

  it("no two calls outside of a job have the same process", async () => {
    const { pool, started } = createPool("no-tenant", 10);
    for (let call = 0; call < 2; call++) await outside(() => pool.run(async () => {}));
    expect(started.filter(({ closed }) => closed)).toHaveLength(1);
  });

  it("the next tenant gets a process that was started before its job", async () => {
    const created = createPool("spare", 10);
    await serve(created, "account");
    expect(created.started).toHaveLength(2);
    await serve(created, "other");
    expect(created.started).toHaveLength(3);
    await created.pool.close();
    expect(created.started.every(({ closed }) => closed)).toBe(true);
  });

  it("no process is started in advance as long as all accounts share", async () => {
    const created = createPool("no-spare", 10);
    await serve(created, sharedTenant);
    expect(created.started).toHaveLength(1);
  });

  it("a spare that has ended meanwhile is not used", async () => {
    const created = createPool("ended-spare", 10);
    await serve(created, "account");
    const [, spare] = created.started;
    if (spare) spare.healthy = false;
    expect(await serve(created, "other")).toBe(2);
    expect(spare?.closed).toBe(true);
  });

  it("a tenant gets its own process again, and does not take that of another one", async () => {
    const created = createPool("own", 10, 2);
    await created.pool.warmUp();
    const first = await serve(created, "account");
    const second = await serve(created, "other");
    expect(second).not.toBe(first);
    expect(await serve(created, "account")).toBe(first);
    expect(await serve(created, "other")).toBe(second);
    expect(await restartsOf("own")).toEqual({});
  });

  it("with ENGINE_ISOLATION=account, as many processes again stay warm for other accounts", async () => {
    const settings: { ENGINE_ISOLATION: "shared" | "account" } = env;
    settings.ENGINE_ISOLATION = "account";
    onTestFinished(() => {
      settings.ENGINE_ISOLATION = "shared";
    });
    const created = createPool("twice", 10);
    const first = await serve(created, "account");
    const second = await serve(created, "other");
    expect(await serve(created, "account")).toBe(first);
    expect(await serve(created, "other")).toBe(second);
    expect(await restartsOf("twice")).toEqual({});
    // The process that has been idle the longest is replaced.
    await serve(created, "third");
    expect(created.started[first]?.closed).toBe(true);
    expect(await serve(created, "other")).toBe(second);
  });

  it("no more jobs run at a time than the size of the pool", async () => {
    const { pool } = createPool("size", 10);
    let running = 0;
    const job = async () => {
      expect(++running).toBe(1);
      await new Promise(setImmediate);
      running--;
    };
    await Promise.all(
      ["a", "b", "a", "c"].map((tenant) => runForTenant(tenant, () => pool.run(job))),
    );
    expect(pool.busy).toBe(0);
  });

  it("visitors leave the processes of the accounts as they are, if there are fresh ones", async () => {
    const created = createPool("fresh", 10, 2);
    await created.pool.warmUp();
    const shared = await serve(created, sharedTenant);
    expect(await serve(created, "visitor")).not.toBe(shared);
    expect(await serve(created, sharedTenant)).toBe(shared);
  });
});

describe("a process that no job uses", () => {
  const settings: { ENGINE_IDLE_SECONDS: number } = env;

  /** Makes time pass only when the test says so. */
  function stopClock(idleSeconds: number): void {
    const before = settings.ENGINE_IDLE_SECONDS;
    settings.ENGINE_IDLE_SECONDS = idleSeconds;
    vi.useFakeTimers();
    onTestFinished(() => {
      settings.ENGINE_IDLE_SECONDS = before;
      vi.useRealTimers();
    });
  }

  const openIn = (started: readonly FakeProcess[]) =>
    started.filter(({ closed }) => !closed).length;

  it("is stopped after `ENGINE_IDLE_SECONDS`, and the next job starts another one", async () => {
    stopClock(100);
    const { pool, started } = createPool("idle", 10, 2);
    await pool.warmUp();
    await vi.advanceTimersByTimeAsync(50_000);
    await pool.run(async () => {});
    await vi.advanceTimersByTimeAsync(60_000);
    expect([started.length, openIn(started)]).toEqual([2, 1]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([started.length, openIn(started)]).toEqual([2, 0]);
    await pool.run(async () => {});
    expect([started.length, openIn(started)]).toEqual([3, 1]);
    expect(await restartsOf("idle")).toEqual({ idle: 2 });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(openIn(started)).toBe(0);
  });

  it("stays while a job uses it", async () => {
    stopClock(100);
    const { pool, started } = createPool("idle-busy", 10);
    const { promise, resolve } = Promise.withResolvers<void>();
    const running = pool.run(() => promise);
    await vi.advanceTimersByTimeAsync(500_000);
    expect(openIn(started)).toBe(1);
    resolve();
    await running;
    await vi.advanceTimersByTimeAsync(50_000);
    expect(openIn(started)).toBe(1);
    await vi.advanceTimersByTimeAsync(100_000);
    expect(openIn(started)).toBe(0);
  });

  it("is stopped with those that were started in advance", async () => {
    stopClock(100);
    const { pool, started } = createPool("idle-spare", 10);
    await runForTenant("account", () => pool.run(async () => {}));
    expect([started.length, openIn(started)]).toEqual([2, 2]);
    await vi.advanceTimersByTimeAsync(130_000);
    expect(openIn(started)).toBe(0);
    await runForTenant("other", () => pool.run(async () => {}));
    expect([started.length, openIn(started)]).toEqual([4, 2]);
  });

  it("is not kept by checks of the service", async () => {
    stopClock(100);
    const { pool, started } = createPool("idle-check", 10);
    await pool.warmUp();
    for (let check = 0; check < 3; check++) {
      await vi.advanceTimersByTimeAsync(50_000);
      await runWithoutKeepingWarm(() => pool.run(async () => {}));
    }
    // The second and the third check each started one, because no job had used the pool for so long.
    expect(started.length).toBe(3);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(openIn(started)).toBe(0);
  });

  it("stays if it is the last of an engine that keeps one", async () => {
    stopClock(100);
    const { pool, started } = createPool("idle-kept", 10, 2, 1);
    await pool.warmUp();
    await vi.advanceTimersByTimeAsync(500_000);
    expect([started.length, openIn(started)]).toEqual([2, 1]);
    await Promise.all([pool.run(async () => {}), pool.run(async () => {})]);
    expect([started.length, openIn(started)]).toEqual([3, 2]);
    await vi.advanceTimersByTimeAsync(500_000);
    expect(openIn(started)).toBe(1);
  });

  it("stays for ever with 0", async () => {
    stopClock(0);
    const { pool, started } = createPool("idle-never", 10);
    await pool.run(async () => {});
    await vi.advanceTimersByTimeAsync(1e9);
    expect(openIn(started)).toBe(1);
  });
});
