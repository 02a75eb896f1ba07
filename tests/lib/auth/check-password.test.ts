import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createAccount } from "#lib/auth/accounts.ts";
import { checkPassword } from "#lib/auth/check-password.ts";
import { createBrowserToken, readBrowserToken } from "#lib/auth/cookies/known-browser.ts";
import { createFirstAccount } from "#lib/auth/first-account.ts";
import {
  type Attempt,
  consumeAttempts,
  passwordAttempts,
  TooManyAttemptsError,
} from "#lib/auth/sign-in-limits.ts";
import { db } from "#lib/db/client.ts";
import { findAccountByEmail } from "#lib/db/queries/accounts/accounts.ts";

const password = "purple lighthouse 9";
let count = 0;

async function createOwner() {
  const account = await createAccount({ email: `owner-${++count}@example.com`, password });
  if (!account) throw new Error("the account exists already");
  return account;
}

/** A caller with a new network address, unless `values` has one. */
function caller(values: { address?: string; knownBrowser?: string } = {}) {
  const address = `198.51.${Math.floor(++count / 250)}.${count % 250}`;
  return { address, knownBrowser: undefined, ...values };
}

/** Advances the time of all limits. */
function advance(seconds: number) {
  return db().execute(
    sql`update attempt_limits set resets_at = resets_at - make_interval(secs => ${seconds})`,
  );
}

/** Consumes attempts, as wrong passwords do. */
async function consume(attempt: Attempt, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await consumeAttempts([attempt]);
}

/** Consumes attempts until they are used up, or `times` of them. */
async function consumeIfAllowed(attempts: readonly Attempt[], times: number): Promise<void> {
  try {
    for (let time = 0; time < times; time++) await consumeAttempts(attempts);
  } catch (error) {
    if (!(error instanceof TooManyAttemptsError)) throw error;
  }
}

type Outcome = "accepted" | "rejected" | "limited";

async function tryPassword(
  email: string,
  attempted: string,
  from: Parameters<typeof checkPassword>[2],
): Promise<Outcome> {
  try {
    return (await checkPassword(email, attempted, from)) ? "accepted" : "rejected";
  } catch (error) {
    if (error instanceof TooManyAttemptsError && error.seconds <= 60) return "limited";
    throw error;
  }
}

function countOf(outcomes: readonly Outcome[], outcome: Outcome): number {
  return outcomes.filter((one) => one === outcome).length;
}

it("of 300 concurrent wrong passwords from one network ten are checked, and the owner can sign in from another", async () => {
  const { email } = await createOwner();
  const from = caller();
  const guesses = Array.from({ length: 300 }, (_, guess) =>
    tryPassword(email, `guess ${guess}`, from),
  );
  const outcomes = await Promise.all(guesses);
  // Ten at once, and one more for every minute that the test takes.
  expect(countOf(outcomes, "rejected")).toBeGreaterThanOrEqual(10);
  expect(countOf(outcomes, "rejected")).toBeLessThanOrEqual(12);
  expect(countOf(outcomes, "limited")).toBe(300 - countOf(outcomes, "rejected"));
  expect(await tryPassword(email, password, from)).toBe("limited");
  expect(await tryPassword(email, password, caller())).toBe("accepted");
  await advance(60);
  expect(await tryPassword(email, password, from)).toBe("accepted");
});

it("one network can never use up the attempts of an account, however long it guesses", async () => {
  const { email } = await createOwner();
  const from = caller();
  for (let minute = 0; minute < 200; minute++) {
    await consumeIfAllowed(passwordAttempts(email, from.address), minute === 0 ? 11 : 2);
    await advance(60);
  }
  expect(await tryPassword(email, password, caller())).toBe("accepted");
});

it("an account has 100 attempts from many networks, then one every 36 seconds, and a known browser has its own", async () => {
  const { email, id } = await createOwner();
  await consume({ kind: "password", subject: email }, 99);
  expect(await tryPassword(email, "wrong", caller())).toBe("rejected");
  const rejected = checkPassword(email, password, caller());
  await expect(rejected).rejects.toMatchObject({ message: "TooManyPasswords" });
  const known = createBrowserToken(id);
  expect(await tryPassword(email, password, caller({ knownBrowser: known }))).toBe("accepted");
  await advance(36);
  expect(await tryPassword(email, password, caller())).toBe("accepted");
});

it("the correct password consumes no attempt", async () => {
  const { email } = await createOwner();
  const from = caller();
  for (const attempt of passwordAttempts(email, from.address)) await consume(attempt, 9);
  for (let time = 0; time < 3; time++) {
    expect(await tryPassword(email, password, from)).toBe("accepted");
  }
});

it("a network address has one limit for all accounts, and one more attempt every ten seconds", async () => {
  const from = caller();
  await consume({ kind: "address", subject: from.address }, 60);
  const { email } = await createOwner();
  expect(await tryPassword(email, password, from)).toBe("limited");
  expect(await tryPassword(email, password, caller())).toBe("accepted");
  await advance(10);
  expect(await tryPassword(email, password, from)).toBe("accepted");
});

it("an attempt rejected by one limit consumes nothing of another limit", async () => {
  const from = caller();
  await consume({ kind: "password", subject: "tried@example.com" }, 100);
  for (let time = 0; time < 70; time++) await tryPassword("tried@example.com", "wrong", from);
  const { email } = await createOwner();
  expect(await tryPassword(email, password, from)).toBe("accepted");
});

it("a browser is known only for the account that it signed in to, and has its own limit", async () => {
  const mine = await createOwner();
  const other = await createOwner();
  await consume({ kind: "password", subject: mine.email }, 100);
  const attempt = (knownBrowser: string) =>
    tryPassword(mine.email, "wrong", caller({ knownBrowser }));
  const known = createBrowserToken(mine.id);
  for (const invalid of [createBrowserToken(other.id), `${known}0`, known.slice(1), "", "."]) {
    expect(await attempt(invalid)).toBe("limited");
  }
  expect(await attempt(known)).toBe("rejected");
  await consume({ kind: "browser", subject: readBrowserToken(known, mine.id) ?? "" }, 9);
  expect(await attempt(known)).toBe("limited");
});

it("an account without a password accepts no password", async () => {
  const email = "no-password@example.com";
  await createAccount({ email });
  for (const attempted of ["", "null", "undefined"]) {
    expect(await tryPassword(email, attempted, caller())).toBe("rejected");
  }
});

it("verification takes the same time with and without an account", async () => {
  const { email } = await createOwner();
  const measure = async (address: string) => {
    const before = process.cpuUsage();
    await tryPassword(address, "wrong", caller());
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let time = 0; time < 5; time++) {
    known.push(await measure(email));
    unknown.push(await measure("no-account@example.com"));
  }
  // Time of the processor, which other work on the machine makes hardly longer, and the shortest one.
  const ratio = Math.min(...known) / Math.min(...unknown);
  expect(ratio).toBeGreaterThan(0.4);
  expect(ratio).toBeLessThan(2.5);
});

it("the first account of an installation must replace its generated password", async () => {
  await db().execute(sql`truncate accounts cascade`);
  const first = await createFirstAccount({ isNewDatabase: false });
  const account = await findAccountByEmail(db(), "admin@localhost");
  expect(account).toMatchObject({ plan: "enterprise", mustSetPassword: true });
  expect(await tryPassword("admin@localhost", first?.password ?? "", caller())).toBe("accepted");
});

it("a new installation has its first account, also if another one was created while it started", async () => {
  await db().execute(sql`truncate accounts cascade`);
  await createAccount({ email: "quick@example.com", plan: "free", password });
  expect(await createFirstAccount({ isNewDatabase: false })).toBeUndefined();
  const first = await createFirstAccount({ isNewDatabase: true });
  expect(first).toMatchObject({ email: "admin@localhost" });
  expect(await createFirstAccount({ isNewDatabase: true })).toBeUndefined();
});
