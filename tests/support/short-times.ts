import type { RunnerTimes } from "#lib/times.ts";

/** What stands for `lib/times.ts` in a process that was started with `--conditions=mediamill-test`. */
export const times: RunnerTimes = {
  leaseSeconds: 3,
  renewSeconds: 0.5,
  finishSeconds: 1,
  recoveryMs: 300,
  lookMs: 500,
  arrivalSeconds: 10,
  answerMs: 2000,
  attemptSeconds: 4,
};
