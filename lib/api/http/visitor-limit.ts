import { RequestError } from "#lib/errors.ts";

/** The error of a visitor who has run as much as is allowed without an account. */
export function visitorLimit(seconds: number): RequestError {
  return new RequestError(
    "rate_limited",
    "You have run as many operations as you can without an account. Create a free account to go on.",
    { headers: { "Retry-After": String(seconds) } },
  );
}
