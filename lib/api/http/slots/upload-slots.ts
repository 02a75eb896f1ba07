import { AccountSlots } from "./account-slots.ts";

/** The most uploads that an account may send at a time to this process: forms and files of signed URLs together. */
export const maxUploads = 300;

const slots = new AccountSlots({
  max: maxUploads,
  message: `At most ${maxUploads} uploads can be sent at a time. Wait until some of them are complete.`,
  retryAfterSeconds: 10,
});

/** Receives an upload of the account with `receive`. Throws `rate_limited` if it sends too many. */
export function receiveUpload<Result>(
  accountId: string,
  receive: () => Promise<Result>,
): Promise<Result> {
  return slots.hold(accountId, receive);
}
