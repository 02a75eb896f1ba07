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

type QueueName = (typeof queueNames)[keyof typeof queueNames];

const schema = "queue";
const nothingToDo: AfterCommit = async () => true;

/**
 * pg-boss's errors are copies without a class. That the database is unavailable is logged elsewhere,
 * and less often.
 */
function logError(error: unknown): void {
  const err = error instanceof Error ? error : Object.assign(new Error(), error);
  log[isDatabaseUnavailable(err) ? "debug" : "error"]({ err }, "queue operation failed");
}

/** Creates pg-boss's schema and the queues. Can be run again. */
export async function migrateQueue(url: string): Promise<void> {
  const boss = new PgBoss({ connectionString: url, schema, supervise: false, schedule: false });
  boss.on("error", logError);
  await boss.start();
  for (const name of Object.values(queueNames)) {
    // A lost message does no harm: the row still waits, and the sweep enqueues it again.
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

/** The queue on the service's own PostgreSQL, by pg-boss. A message commits with the row that it is about. */
export class EmbeddedQueue implements Queue {
  readonly #boss: PgBoss;

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  /** `worker`: also supervises, runs the schedule and listens for messages. */
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

  async enqueueJob(tx: Queryable, message: JobMessage): Promise<AfterCommit> {
    const { stage, jobId, delaySeconds } = message;
    await this.#send(tx, queueNames[stage], { jobId }, delaySeconds);
    return nothingToDo;
  }

  async enqueueDelivery(tx: Queryable, message: DeliveryMessage): Promise<AfterCommit> {
    const { deliveryId, delaySeconds } = message;
    await this.#send(tx, queueNames.delivery, { deliveryId }, delaySeconds);
    return nothingToDo;
  }

  /** The message stays. The runner that receives it finds no job to claim. */
  dequeueJob(): AfterCommit {
    return nothingToDo;
  }

  /** Calls `handler` with the data of the messages of queue `name`, in batches, as they arrive. */
  async work<Data>(name: QueueName, handler: (messages: Data[]) => Promise<void>): Promise<void> {
    const options = {
      batchSize: 20,
      burstWhenBatchFull: true,
      pollingIntervalSeconds: 1,
      // Delayed messages are only found by polling.
      notifyPollingIntervalSeconds: 1,
    };
    await this.#boss.work<Data>(name, options, (messages) =>
      handler(messages.map((message) => message.data)),
    );
  }

  /** Receives no more messages of queue `name`. Does not wait for messages that are being handled. */
  async stopWork(name: QueueName): Promise<void> {
    await this.#boss.offWork(name, { wait: false });
  }

  async close(): Promise<void> {
    await this.#boss.stop({ graceful: false });
  }

  async #send(tx: Queryable, name: string, data: object, delaySeconds: number): Promise<void> {
    await this.#boss.send(name, data, { db: fromDrizzle(tx, sql), startAfter: delaySeconds });
  }
}
