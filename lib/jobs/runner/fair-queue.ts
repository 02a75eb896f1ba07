import type { DueDelivery } from "#lib/db/queries/webhooks/deliveries.ts";

/** Maximum number of concurrent attempts of one account: to one endpoint, and in total. */
export interface FairQueueLimits {
  readonly endpoint: number;
  readonly account: number;
}

/** A delivery whose attempt runs. */
export interface TakenDelivery extends DueDelivery {
  done(): void;
}

interface EndpointQueue {
  readonly deliveries: DueDelivery[];
  running: number;
}

/**
 * Deliveries that wait for their attempt, in one queue per endpoint: an account and a full URL. A host
 * may be shared, such as by the endpoints of an automation provider, so a host has no limit of its own.
 * Endpoints take turns, and the number of running attempts is limited per endpoint and per account. A
 * slow or dead endpoint therefore delays no other one.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #queues = new Map<string, EndpointQueue>();
  readonly #runningByAccount = new Map<string, number>();
  readonly #ids = new Set<string>();

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** False if the delivery already waits or runs. */
  add(delivery: DueDelivery): boolean {
    const { id, accountId, url } = delivery;
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const key = `${accountId} ${url}`;
    const queue = this.#queues.get(key) ?? { deliveries: [], running: 0 };
    queue.deliveries.push(delivery);
    this.#queues.set(key, queue);
    return true;
  }

  /** The next delivery. Call `done` after its attempt. Undefined if none may start now. */
  take(): TakenDelivery | undefined {
    const next = this.#next();
    const delivery = next?.queue.deliveries.shift();
    if (!next || !delivery) return undefined;
    const { key, queue } = next;
    queue.running++;
    this.#runningByAccount.set(delivery.accountId, this.#runningOf(delivery) + 1);
    // Moves the endpoint to the end of the line.
    this.#queues.delete(key);
    this.#queues.set(key, queue);
    return { ...delivery, done: () => this.#done(delivery, key, queue) };
  }

  /** Whether a delivery may start now. */
  get hasNext(): boolean {
    return this.#next() !== undefined;
  }

  /** The deliveries that wait. */
  get waiting(): DueDelivery[] {
    return [...this.#queues.values()].flatMap(({ deliveries }) => deliveries);
  }

  #next(): { readonly key: string; readonly queue: EndpointQueue } | undefined {
    for (const [key, queue] of this.#queues) {
      const [first] = queue.deliveries;
      if (!first || queue.running >= this.#limits.endpoint) continue;
      if (this.#runningOf(first) < this.#limits.account) return { key, queue };
    }
    return undefined;
  }

  #runningOf({ accountId }: DueDelivery): number {
    return this.#runningByAccount.get(accountId) ?? 0;
  }

  #done(delivery: DueDelivery, key: string, queue: EndpointQueue): void {
    this.#ids.delete(delivery.id);
    queue.running--;
    if (queue.running === 0 && queue.deliveries.length === 0) this.#queues.delete(key);
    const ofAccount = this.#runningOf(delivery) - 1;
    if (ofAccount > 0) this.#runningByAccount.set(delivery.accountId, ofAccount);
    else this.#runningByAccount.delete(delivery.accountId);
  }
}
