/** Time limits of the phases of a request, in milliseconds. */
export interface TimeLimits {
  readonly connectMs: number;
  readonly headersMs: number;
  /** The time between two chunks of the body. */
  readonly chunkMs: number;
  /** The whole request with its redirects. */
  readonly totalMs: number;
}

/** The limits of production. */
export const defaultTimeLimits: TimeLimits = {
  connectMs: 5_000,
  headersMs: 15_000,
  chunkMs: 30_000,
  totalMs: 15 * 60_000,
};
