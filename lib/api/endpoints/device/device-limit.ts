import {
  attemptsFromAddress,
  consumeAttempts,
  TooManyAttemptsError,
} from "#lib/auth/sign-in-limits.ts";
import { RequestError } from "#lib/errors.ts";
import { addressIn } from "#lib/net/caller-address.ts";

/** Counts a request of a device by its network. Throws `rate_limited`. */
export async function limitDevice(
  kind: "deviceCode" | "devicePoll",
  request: Request,
): Promise<void> {
  try {
    await consumeAttempts(attemptsFromAddress(kind, addressIn(request.headers)));
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) throw error;
    const { seconds } = error;
    throw new RequestError(
      "rate_limited",
      `Too many sign-ins from this network. Try again in ${seconds} s.`,
      { headers: { "Retry-After": String(seconds) } },
    );
  }
}
