import { createHash } from "node:crypto";
import { db, transaction } from "#lib/db/client.ts";
import {
  type AttemptLimit,
  giveBackAttempt,
  takeAttempt,
} from "#lib/db/queries/accounts/attempt-limits.ts";
import { networkOf } from "#lib/net/caller-address.ts";

/**
 * How often somebody may try. None of them ever locks anybody out: once they are used up, the next
 * attempt is at most `secondsEach` away.
 */
const limits = {
  /** Passwords for one e-mail address, whether or not there is an account. */
  password: { burst: 10, secondsEach: 60 },
  /** The same from a browser that has been signed in to the account before. */
  browser: { burst: 10, secondsEach: 30 },
  /** Passwords from one address, where many people may sit behind one. */
  address: { burst: 60, secondsEach: 10 },
  /** Accounts made from one address. */
  signUp: { burst: 100, secondsEach: 60 },
  /** E-mails to one address. */
  reset: { burst: 3, secondsEach: 600 },
  /** E-mails asked for from one address. */
  resetAddress: { burst: 30, secondsEach: 60 },
} as const satisfies Record<string, AttemptLimit>;

/** Something that is counted: which limit, and whose. */
export interface Attempt {
  readonly kind: keyof typeof limits;
  readonly of: string;
}

/** Too many attempts; there is another one in `seconds`. */
export class TooManyAttemptsError extends Error {
  override readonly name = "TooManyAttemptsError";
  readonly seconds: number;

  constructor(seconds: number) {
    super("TooManyAttempts");
    this.seconds = seconds;
  }
}

/** An attempt counted by the network that it comes from; nothing where that is not known. */
export function fromAddress(
  kind: "address" | "signUp" | "resetAddress",
  address: string | undefined,
): Attempt[] {
  return address === undefined ? [] : [{ kind, of: networkOf(address) }];
}

/** Takes all of these attempts, or throws `TooManyAttemptsError` and takes none. */
export function takeAttempts(attempts: readonly Attempt[]): Promise<void> {
  return transaction(async (tx) => {
    for (const attempt of attempts) {
      const seconds = await takeAttempt(tx, subjectOf(attempt), limits[attempt.kind]);
      if (seconds > 0) throw new TooManyAttemptsError(seconds);
    }
  });
}

/** Gives back what was taken for an attempt that succeeded. */
export async function giveBackAttempts(attempts: readonly Attempt[]): Promise<void> {
  for (const attempt of attempts) {
    await giveBackAttempt(db(), subjectOf(attempt), limits[attempt.kind]);
  }
}

/** Hashed, for the table must not tell who was tried. */
function subjectOf({ kind, of }: Attempt): string {
  return `${kind}:${createHash("sha256").update(of).digest("base64url")}`;
}
