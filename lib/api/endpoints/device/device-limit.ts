import { limitAttempts } from "#lib/auth/limit-attempts.ts";
import { attemptsFromAddress } from "#lib/auth/sign-in-limits.ts";
import { addressIn } from "#lib/net/caller-address.ts";

/** Counts a request of a device by its network. Throws `rate_limited`. */
export function limitDevice(kind: "deviceCode" | "devicePoll", request: Request): Promise<void> {
  return limitAttempts(
    attemptsFromAddress(kind, addressIn(request.headers)),
    (seconds) => `Too many sign-ins from this network. Try again in ${seconds} s.`,
  );
}
