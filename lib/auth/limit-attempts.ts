import { RequestError } from "#lib/errors.ts";
import { type Attempt, consumeAttempts, TooManyAttemptsError } from "./sign-in-limits.ts";

/** Consumes attempts. Throws `rate_limited` with the message for the seconds until the next one. */
export async function limitAttempts(
  attempts: readonly Attempt[],
  messageFor: (seconds: number) => string,
): Promise<void> {
  try {
    await consumeAttempts(attempts);
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) throw error;
    const headers = { "Retry-After": String(error.seconds) };
    throw new RequestError("rate_limited", messageFor(error.seconds), { headers });
  }
}

/** Counts runs of visitors. Throws `rate_limited` for one who has run as much as is allowed without an account. */
export function limitVisitor(attempts: readonly Attempt[]): Promise<void> {
  return limitAttempts(
    attempts,
    () =>
      "You have run as many operations as you can without an account. Create a free account to go on.",
  );
}
