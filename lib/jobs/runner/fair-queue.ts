/** How many attempts are made at once to one receiver, and of one account. */
export interface LaneLimits {
  readonly receiver: number;
  readonly account: number;
}

interface Lane {
  readonly accountId: string;
  readonly ids: string[];
  atWork: number;
}

/**
 * Deliveries that wait for their attempt, a lane for each receiver. Lanes take turns, and neither a
 * receiver nor an account has more than its share of the attempts at work: one that is slow or dead
 * delays nobody else's.
 */
export class DeliveryLanes {
  readonly #limits: LaneLimits;
  readonly #lanes = new Map<string, Lane>();
  readonly #accounts = new Map<string, number>();
  readonly #known = new Set<string>();

  constructor(limits: LaneLimits) {
    this.#limits = limits;
  }

  /** False where it waits or is at work already. */
  add({ id, accountId, url }: { id: string; accountId: string; url: string }): boolean {
    if (this.#known.has(id)) return false;
    this.#known.add(id);
    const key = `${accountId} ${URL.parse(url)?.host}`;
    const lane = this.#lanes.get(key) ?? { accountId, ids: [], atWork: 0 };
    lane.ids.push(id);
    this.#lanes.set(key, lane);
    return true;
  }

  /** The delivery whose turn it is; `done` is to be called after its attempt. Undefined where none may start. */
  take(): { readonly id: string; done(): void } | undefined {
    for (const [key, lane] of this.#lanes) {
      const ofAccount = this.#accounts.get(lane.accountId) ?? 0;
      if (lane.atWork >= this.#limits.receiver || ofAccount >= this.#limits.account) continue;
      const id = lane.ids.shift();
      if (id === undefined) continue;
      lane.atWork++;
      this.#accounts.set(lane.accountId, ofAccount + 1);
      // To the end of the line.
      this.#lanes.delete(key);
      this.#lanes.set(key, lane);
      return { id, done: () => this.#done(id, key, lane) };
    }
    return undefined;
  }

  #done(id: string, key: string, lane: Lane): void {
    this.#known.delete(id);
    lane.atWork--;
    if (lane.atWork === 0 && lane.ids.length === 0) this.#lanes.delete(key);
    const ofAccount = (this.#accounts.get(lane.accountId) ?? 1) - 1;
    if (ofAccount > 0) this.#accounts.set(lane.accountId, ofAccount);
    else this.#accounts.delete(lane.accountId);
  }
}
