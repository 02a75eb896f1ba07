/**
 * Intervals and timeouts of runners and of the supervisor. Tests use shorter ones: under `--conditions=mediamill-test`,
 * `#times` in package.json is `tests/support/short-times.ts`.
 */
export interface RunnerTimes {
  /** How long a job's lease lasts without a renewal. */
  readonly leaseSeconds: number;
  readonly renewSeconds: number;
  /** How long a stopping runner lets its jobs run before it releases them. */
  readonly gracePeriodSeconds: number;
  /** How long a claimed job waits for an engine before it is released for another runner. */
  readonly engineWaitMs: number;
  /** How often a media runner checks for jobs whose runner vanished. */
  readonly recoveryMs: number;
  /** How long a run of Inngest that has no job left waits for further jobs. */
  readonly idleRunMs: number;
  /** How often a runner polls for work whose notification was lost. */
  readonly pollMs: number;
  /** How long a request may take from its first stored byte to its job. */
  readonly stagedUploadSeconds: number;
  /** How long a webhook receiver may take to respond. */
  readonly webhookResponseMs: number;
  /** How long a claimed webhook attempt is leased. Longer than any attempt takes. */
  readonly attemptLeaseSeconds: number;
  /** How long a service may leave the supervisor without an answer before it is killed and restarted. */
  readonly unresponsiveSeconds: number;
  /** How long the result of a check of the storage is kept. */
  readonly storageCheckMs: number;
  /** How often a runner checks the engines that do not work. */
  readonly engineCheckMs: number;
}

/** A lease survives one or two failed renewals and still lets a dead runner's job continue within 30 s. */
export const times: RunnerTimes = {
  leaseSeconds: 20,
  renewSeconds: 5,
  gracePeriodSeconds: 15,
  engineWaitMs: 2000,
  recoveryMs: 5000,
  idleRunMs: 1000,
  pollMs: 20_000,
  stagedUploadSeconds: 86_400,
  webhookResponseMs: 15_000,
  attemptLeaseSeconds: 25,
  unresponsiveSeconds: 15,
  storageCheckMs: 30_000,
  engineCheckMs: 15_000,
};
