import type { DueDelivery } from "#lib/db/queries/webhooks/deliveries.ts";

/** Maximum number of concurrent attempts of one account: to one endpoint, to one host, and in total. */
export interface DeliveryQueueLimits {
  readonly endpoint: number;
  readonly host: number;
  readonly account: number;
}

/** A delivery whose attempt runs. */
export interface TakenDelivery extends DueDelivery {
  done(): void;
}

interface EndpointQueue {
  /** What its attempts count for: the account, and the host of the account. */
  readonly groups: { readonly account: string; readonly host: string };
  readonly deliveries: DueDelivery[];
  running: number;
}

/**
 * Deliveries that wait for their attempt, in one queue per endpoint: an account and a full URL. Endpoints
 * take turns, and the number of running attempts is limited per endpoint, per host and per account. A slow
 * or dead endpoint therefore delays no other one, and a dead host with many URLs delays no other host. A
 * host may be shared, such as by the endpoints of an automation provider, so its limit is that of several
 * endpoints.
 */
export class DeliveryQueue {
  readonly #limits: DeliveryQueueLimits;
  readonly #queues = new Map<string, EndpointQueue>();
  /** The number of deliveries under way, by account, and by account and host. */
  readonly #running = new Map<string, number>();
  readonly #ids = new Set<string>();

  constructor(limits: DeliveryQueueLimits) {
    this.#limits = limits;
  }

  /** Adds a delivery. Returns false if it already waits or runs. */
  add(delivery: DueDelivery): boolean {
    const { id, accountId, url } = delivery;
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const key = `${accountId} ${url}`;
    const queue = this.#queues.get(key) ?? {
      groups: groupsOf(delivery),
      deliveries: [],
      running: 0,
    };
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
    for (const group of Object.values(queue.groups)) {
      this.#running.set(group, this.#runningIn(group) + 1);
    }
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
      const { deliveries, running, groups } = queue;
      if (deliveries.length === 0 || running >= this.#limits.endpoint) continue;
      if (this.#runningIn(groups.account) >= this.#limits.account) continue;
      if (this.#runningIn(groups.host) < this.#limits.host) return { key, queue };
    }
    return undefined;
  }

  #runningIn(group: string): number {
    return this.#running.get(group) ?? 0;
  }

  #done(delivery: DueDelivery, key: string, queue: EndpointQueue): void {
    this.#ids.delete(delivery.id);
    queue.running--;
    if (queue.running === 0 && queue.deliveries.length === 0) this.#queues.delete(key);
    for (const group of Object.values(queue.groups)) {
      const left = this.#runningIn(group) - 1;
      if (left > 0) this.#running.set(group, left);
      else this.#running.delete(group);
    }
  }
}

function groupsOf({ accountId, url }: DueDelivery): EndpointQueue["groups"] {
  return { account: accountId, host: `${accountId} ${new URL(url).host}` };
}
