import type { RunnerTimes } from "#lib/times.ts";

/** Replaces `lib/times.ts` in processes that are started with `--conditions=mediamill-test`. */
export const times: RunnerTimes = {
  // Longer for a test whose jobs may not lose their lease on a busy machine.
  leaseSeconds: Number(process.env.TEST_LEASE_SECONDS ?? 3),
  renewSeconds: 0.5,
  gracePeriodSeconds: Number(process.env.TEST_GRACE_SECONDS ?? 1),
  // Not shorter than in production: jobs are claimed in advance only within the half of it.
  engineWaitMs: 8000,
  recoveryMs: 300,
  idleRunMs: 200,
  pollMs: 500,
  stagedUploadSeconds: 10,
  webhookResponseMs: 2000,
  attemptLeaseSeconds: 4,
  // Not shorter by default: tests hold services at fault points.
  unresponsiveSeconds: Number(process.env.TEST_UNRESPONSIVE_SECONDS ?? 15),
  storageCheckMs: 300,
  engineCheckMs: 500,
};
