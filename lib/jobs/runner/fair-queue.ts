/** Maximum number of concurrent attempts of one account: to one endpoint, and in total. */
export interface FairQueueLimits {
  readonly endpoint: number;
  readonly account: number;
}

interface EndpointQueue {
  readonly accountId: string;
  readonly ids: string[];
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
  add({ id, accountId, url }: { id: string; accountId: string; url: string }): boolean {
    if (this.#ids.has(id)) return false;
    this.#ids.add(id);
    const key = `${accountId} ${url}`;
    const queue = this.#queues.get(key) ?? { accountId, ids: [], running: 0 };
    queue.ids.push(id);
    this.#queues.set(key, queue);
    return true;
  }

  /** The next delivery. Call `done` after its attempt. Undefined if none may start now. */
  take(): { readonly id: string; done(): void } | undefined {
    for (const [key, queue] of this.#queues) {
      const ofAccount = this.#runningByAccount.get(queue.accountId) ?? 0;
      if (queue.running >= this.#limits.endpoint || ofAccount >= this.#limits.account) continue;
      const id = queue.ids.shift();
      if (id === undefined) continue;
      queue.running++;
      this.#runningByAccount.set(queue.accountId, ofAccount + 1);
      // Moves the endpoint to the end of the line.
      this.#queues.delete(key);
      this.#queues.set(key, queue);
      return { id, done: () => this.#done(id, key, queue) };
    }
    return undefined;
  }

  #done(id: string, key: string, queue: EndpointQueue): void {
    this.#ids.delete(id);
    queue.running--;
    if (queue.running === 0 && queue.ids.length === 0) this.#queues.delete(key);
    const ofAccount = (this.#runningByAccount.get(queue.accountId) ?? 1) - 1;
    if (ofAccount > 0) this.#runningByAccount.set(queue.accountId, ofAccount);
    else this.#runningByAccount.delete(queue.accountId);
  }
}
