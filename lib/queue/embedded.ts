import { sql } from "drizzle-orm";
import { fromDrizzle, PgBoss } from "pg-boss";
import { databaseUrl, type Queryable } from "#lib/db/client.ts";
import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { log } from "#lib/log.ts";
import type { AfterCommit, DeliveryMessage, JobMessage, Queue } from "./port.ts";

/** Names of the queues in pg-boss. */
export const queueNames = {
  fetch: "fetch-inputs",
  run: "run-job",
  delivery: "deliver-webhook",
  sweep: "sweep",
} as const;

const schema = "queue";
const nothing: AfterCommit = async () => true;

/** pg-boss's errors are copies without a class. Of a database that is away others tell, and less often. */
function logError(error: unknown): void {
  const err = error instanceof Error ? error : Object.assign(new Error(), error);
  log[isDatabaseUnavailable(err) ? "debug" : "error"]({ err }, "queue error");
}

/** Makes pg-boss's schema and our queues. Safe to run again. */
export async function migrateQueue(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: url, schema, supervise: false, schedule: false });
  boss.on("error", logError);
  await boss.start();
  for (const name of Object.values(queueNames)) {
    // A ticket that was lost costs nothing: the row waits, and the sweep announces it again.
    const options = {
      notify: true,
      retryLimit: 2,
      expireInSeconds: 86_400 - 1,
      deleteAfterSeconds: 3600,
    };
    await boss.createQueue(name, options);
    await boss.updateQueue(name, options);
  }
  await boss.schedule(queueNames.sweep, "* * * * *");
  await boss.stop({ graceful: false });
}

/** The queue on our own PostgreSQL, by pg-boss: what is announced commits with the row it is about. */
export class EmbeddedQueue implements Queue {
  readonly #boss: PgBoss;

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** `worker` also supervises, keeps time and listens for news. */
  static async open(options: { worker: boolean }): Promise<EmbeddedQueue> {
    const boss = new PgBoss({
      connectionString: databaseUrl(),
      schema,
      migrate: false,
      createSchema: false,
      supervise: options.worker,
      schedule: options.worker,
      useListenNotify: options.worker,
      superviseIntervalSeconds: 5,
      max: options.worker ? 6 : 2,
    });
    boss.on("error", logError);
    await boss.start();
    return new EmbeddedQueue(boss);
  }

  async announceJob(tx: Queryable, ticket: JobMessage): Promise<AfterCommit> {
    await this.#send(tx, queueNames[ticket.stage], { jobId: ticket.jobId }, ticket.delaySeconds);
    return nothing;
  }

  async announceDelivery(tx: Queryable, ticket: DeliveryMessage): Promise<AfterCommit> {
    await this.#send(
      tx,
      queueNames.delivery,
      { deliveryId: ticket.deliveryId },
      ticket.delaySeconds,
    );
    return nothing;
  }

  /** Its ticket stays; who takes it finds nothing to claim. */
  withdrawJob(): AfterCommit {
    return nothing;
  }

  /** Calls `handler` with the data of the tickets of `name` as they come, some at a time. */
  async work<Data>(
    name: (typeof queueNames)[keyof typeof queueNames],
    handler: (tickets: Data[]) => Promise<void>,
  ): Promise<void> {
    const options = {
      batchSize: 20,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 1,
      // Delayed tickets are found by polling alone.
      notifyPollingIntervalSeconds: 1,
    };
    await this.#boss.work<Data>(name, options, (tickets) =>
      handler(tickets.map((ticket) => ticket.data)),
    );
  }

  /** Takes no more tickets of `name`; does not wait for those that are being handled. */
  async stopWork(name: (typeof queueNames)[keyof typeof queueNames]): Promise<void> {
    await this.#boss.offWork(name, { wait: false });
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false });
  }

  async #send(tx: Queryable, name: string, data: object, delaySeconds: number): Promise<void> {
    await this.#boss.send(name, data, { db: fromDrizzle(tx, sql), startAfter: delaySeconds });
  }
}
