import { createHash } from "node:crypto";
import { db, transaction } from "#lib/db/client.ts";
import {
  type AttemptLimit,
  consumeAttempt,
  refundAttempt,
} from "#lib/db/queries/accounts/attempt-limits.ts";
import { networkOf } from "#lib/net/caller-address.ts";

/** How many operations a visitor may run in a day without an account. */
export const visitorRunsPerDay = 5;

/**
 * The token buckets: `burst` attempts at once, then one every `secondsEach` seconds. They never
 * lock anyone out: after the last attempt, the next one is at most `secondsEach` seconds away.
 */
const limits = {
  /** Passwords for one email address from one network, with or without an account. */
  passwordFromNetwork: { burst: 10, secondsEach: 60 },
  /**
   * Passwords for one email address from everywhere: 100 an hour. One network has 60 an hour, so that no
   * one who uses up their own attempts can keep the owner out.
   */
  password: { burst: 100, secondsEach: 36 },
  /** Passwords from one browser that has been signed in to the account before. */
  browser: { burst: 10, secondsEach: 30 },
  /** Passwords from one network address. Many people can share one. */
  address: { burst: 60, secondsEach: 10 },
  /** Accounts created from one network address. */
  signUp: { burst: 5, secondsEach: 600 },
  /** Emails to one address that it should confirm, or that it has an account. */
  confirmation: { burst: 3, secondsEach: 600 },
  /** Reset emails to one email address. */
  reset: { burst: 3, secondsEach: 600 },
  /** Reset emails requested from one network address. */
  resetAddress: { burst: 30, secondsEach: 60 },
  /** Codes for devices requested from one network address. */
  deviceCode: { burst: 20, secondsEach: 15 },
  /** Requests for the key of a device from one network address. */
  devicePoll: { burst: 300, secondsEach: 0.5 },
  /** Operations that visitors of one network address run without an account. */
  visitorAddress: { burst: 20, secondsEach: 600 },
  /** Operations that one visitor runs without an account. */
  visitorRuns: { burst: visitorRunsPerDay, secondsEach: 86_400 },
  /** Requests that send the file of one upload. */
  upload: { burst: 20, secondsEach: 30 },
  /** Emails with a code to one account, to confirm who the user is. */
  codeMail: { burst: 3, secondsEach: 300 },
  /** Codes from such an email that one account tries. */
  code: { burst: 5, secondsEach: 120 },
  /** Live previews of one account: as many as two minutes of moving a slider need, then ten a second. */
  livePreview: { burst: 1200, secondsEach: 0.1 },
  /** Purges of pictures of one account, of which all processes are notified. */
  imagePurge: { burst: 300, secondsEach: 0.5 },
  /** Browser tokens of one account. Each is kept for a day after its end. */
  browserToken: { burst: 600, secondsEach: 0.2 },
  /** Pictures that are drawn for the link of one shared result. */
  shareCard: { burst: 5, secondsEach: 60 },
  /** User codes that one account looks up. */
  userCode: { burst: 20, secondsEach: 30 },
} as const satisfies Record<string, AttemptLimit>;

/** One attempt against a limit. `subject` is whom the limit counts: an email address, network or browser. */
export interface Attempt {
  readonly kind: keyof typeof limits;
  readonly subject: string;
}

/** Too many attempts; the next one is allowed in `seconds`. The message is a code of `sign-in-errors.ts`. */
export class TooManyAttemptsError extends Error {
  override readonly name = "TooManyAttemptsError";
  readonly seconds: number;

  constructor(seconds: number, kind?: Attempt["kind"]) {
    super(kind === "password" ? "TooManyPasswords" : "TooManyAttempts");
    this.seconds = seconds;
  }
}

/** The attempt counted by network address; none if the address is unknown. */
export function attemptsFromAddress(
  kind: "address" | "signUp" | "resetAddress" | "deviceCode" | "devicePoll" | "visitorAddress",
  address: string | undefined,
): Attempt[] {
  return address === undefined ? [] : [{ kind, subject: networkOf(address) }];
}

/**
 * The attempts that a password for `email` consumes. A caller without an address, such as a command, counts
 * as one network.
 */
export function passwordAttempts(email: string, address: string | undefined): Attempt[] {
  const network = address === undefined ? "" : networkOf(address);
  return [
    { kind: "passwordFromNetwork", subject: `${network} ${email}` },
    { kind: "password", subject: email },
  ];
}

/** Consumes all of these attempts, or none and throws `TooManyAttemptsError`. */
export function consumeAttempts(attempts: readonly Attempt[]): Promise<void> {
  return transaction(async (tx) => {
    for (const attempt of attempts) {
      const seconds = await consumeAttempt(tx, subjectKey(attempt), limits[attempt.kind]);
      if (seconds > 0) throw new TooManyAttemptsError(seconds, attempt.kind);
    }
  });
}

/** Consumes an attempt. Resolves with a message for the user if there were too many. */
export async function tryAttempt(attempt: Attempt): Promise<string | undefined> {
  try {
    await consumeAttempts([attempt]);
    return undefined;
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) throw error;
    return `Too many attempts. Try again in ${error.seconds} s.`;
  }
}

/** Refunds the attempts of a successful sign-in. */
export async function refundAttempts(attempts: readonly Attempt[]): Promise<void> {
  for (const attempt of attempts) {
    await refundAttempt(db(), subjectKey(attempt), limits[attempt.kind]);
  }
}

/**
 * The key of a bucket, hashed so that the table does not reveal which accounts and addresses were
 * tried.
 */
function subjectKey({ kind, subject: of }: Attempt): string {
  return `${kind}:${createHash("sha256").update(of).digest("base64url")}`;
}
