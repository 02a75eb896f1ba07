/**
 * How often runners look and how long they wait. Tests start them with shorter ones: `#times` in
 * package.json is `tests/support/short-times.ts` under `--conditions=mediamill-test`.
 */
export interface RunnerTimes {
  /** How long a hold on a job lasts without a renewal, in seconds. */
  readonly leaseSeconds: number;
  readonly renewSeconds: number;
  /** How long a runner that stops lets its jobs go on before it hands them back, in seconds. */
  readonly finishSeconds: number;
  /** How often a media runner looks for jobs whose runner vanished. */
  readonly recoveryMs: number;
  /** How often a runner looks for work that nobody told it of. */
  readonly lookMs: number;
  /** How long a request's files may take to arrive until they belong to a job, in seconds. */
  readonly arrivalSeconds: number;
  /** How long a webhook's receiver may take to answer. */
  readonly answerMs: number;
  /** How long a hold on a webhook's attempt lasts, in seconds: longer than any attempt. */
  readonly attemptSeconds: number;
}

/** A lease outlives a renewal or two that fail, and is short enough that a dead runner's job goes on within 30 s. */
export const times: RunnerTimes = {
  leaseSeconds: 20,
  renewSeconds: 5,
  finishSeconds: 15,
  recoveryMs: 5000,
  lookMs: 2000,
  arrivalSeconds: 86_400,
  answerMs: 15_000,
  attemptSeconds: 25,
};
