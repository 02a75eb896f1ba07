import { JobError } from "#lib/errors.ts";

/** How much the files of one job may load from the network. */
export interface TrafficLimits {
  readonly requests: number;
  /** The bytes of both directions together. */
  readonly bytes: number;
}

/** What the files of one job have loaded from the network. */
export class Traffic {
  readonly limits: TrafficLimits;
  #requests = 0;
  #bytes = 0;
  #exceeded: keyof TrafficLimits | undefined;

  constructor(limits: TrafficLimits) {
    this.limits = limits;
  }

  /** The bytes in both directions, without those that exceeded the limit. */
  get bytes(): number {
    return Math.min(this.#bytes, this.limits.bytes);
  }

  /** The limit because of which a request was rejected or cut off first. */
  get exceeded(): keyof TrafficLimits | undefined {
    return this.#exceeded;
  }

  /** Call it before each request. Throws `TrafficLimitError`. */
  addRequests(count = 1): void {
    this.#requests += count;
    if (this.#requests > this.limits.requests) throw this.#reject("requests");
    if (this.#bytes >= this.limits.bytes) throw this.#reject("bytes");
  }

  /** Call it before bytes are handed over. Throws `TrafficLimitError`. */
  addBytes(count: number): void {
    this.#bytes += count;
    if (this.#bytes > this.limits.bytes) throw this.#reject("bytes");
  }

  #reject(limit: keyof TrafficLimits): TrafficLimitError {
    this.#exceeded ??= limit;
    return new TrafficLimitError(limit, this.limits);
  }
}

/** A job has loaded as much as it may. */
export class TrafficLimitError extends JobError {
  readonly limit: keyof TrafficLimits;

  constructor(limit: keyof TrafficLimits, limits: TrafficLimits) {
    super("too_complex", `The files of a job load at most ${formatTrafficLimit(limit, limits)}.`);
    this.limit = limit;
  }
}

/** Formats a limit as `500 resources from the network` or `200 MB from the network`. */
export function formatTrafficLimit(limit: keyof TrafficLimits, limits: TrafficLimits): string {
  const amount =
    limit === "requests" ? `${limits.requests} resources` : `${limits.bytes / 10 ** 6} MB`;
  return `${amount} from the network`;
}

/** The chunks of a body, counted. */
export async function* countBytes(
  body: AsyncIterable<Uint8Array>,
  traffic: Traffic,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    traffic.addBytes(chunk.length);
    yield chunk;
  }
}
