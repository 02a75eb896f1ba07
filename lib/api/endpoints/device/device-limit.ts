import {
  attemptsFromAddress,
  consumeAttempts,
  TooManyAttemptsError,
} from "#lib/auth/sign-in-limits.ts";
import { RequestError } from "#lib/errors.ts";

/** The network address of a request. `lib/server` sets the header. */
export function addressOf(request: Request): string | undefined {
  return request.headers.get("x-forwarded-for")?.split(",")[0]?.trim() || undefined;
}

/** Counts a request of a device by its network. Throws `rate_limited`. */
export async function limitDevice(
  kind: "deviceCode" | "devicePoll",
  request: Request,
): Promise<void> {
  try {
    await consumeAttempts(attemptsFromAddress(kind, addressOf(request)));
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
