import { AccountSlots } from "./account-slots.ts";

/** The most long polls of an account that this process holds at a time: each reads its job every few seconds. */
export const maxWaits = 300;

const slots = new AccountSlots({
  max: maxWaits,
  message: `At most ${maxWaits} requests with \`wait\` can be open at a time. Watch all jobs with GET /v1/events.`,
  retryAfterSeconds: 10,
});

/** The result of a long poll of the account. Throws `rate_limited` if it has too many. */
export function holdWait<Result>(accountId: string, wait: () => Promise<Result>): Promise<Result> {
  return slots.hold(accountId, wait);
}
