import { sql } from "drizzle-orm";
import { expect, it } from "vitest";
import { createAccount } from "#lib/auth/accounts.ts";
import { checkPassword } from "#lib/auth/check-password.ts";
import { ensureFirstAccount } from "#lib/auth/first-account.ts";
import { makeBrowserToken, readBrowserToken } from "#lib/auth/known-browser.ts";
import { type Attempt, TooManyAttemptsError, takeAttempts } from "#lib/auth/sign-in-limits.ts";
import { db } from "#lib/db/client.ts";
import { findAccountByEmail } from "#lib/db/queries/accounts/accounts.ts";

const password = "purple lighthouse 9";
let count = 0;

async function makeOwner() {
  const account = await createAccount({ email: `owner-${++count}@example.com`, password });
  if (!account) throw new Error("the address is taken");
  return account;
}

/** Everybody at an address of their own, unless they name one. */
function caller(values: { address?: string; knownBrowser?: string } = {}) {
  const address = `198.51.${Math.floor(++count / 250)}.${count % 250}`;
  return { address, knownBrowser: undefined, ...values };
}

/** Lets time pass for all limits. */
function wait(seconds: number) {
  return db().execute(
    sql`update attempt_limits set clear_at = clear_at - make_interval(secs => ${seconds})`,
  );
}

/** Uses up attempts, as wrong passwords would. */
async function spend(attempt: Attempt, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await takeAttempts([attempt]);
}

type Outcome = "opened" | "refused" | "told to wait";

async function tryPassword(
  email: string,
  given: string,
  from: Parameters<typeof checkPassword>[2],
): Promise<Outcome> {
  try {
    return (await checkPassword(email, given, from)) ? "opened" : "refused";
  } catch (error) {
    if (error instanceof TooManyAttemptsError && error.seconds <= 60) return "told to wait";
    throw error;
  }
}

function countOf(outcomes: readonly Outcome[], outcome: Outcome): number {
  return outcomes.filter((one) => one === outcome).length;
}

it("of 1,000 wrong passwords from everywhere at once ten are looked at, and the owner gets in a minute later", async () => {
  const { email, id } = await makeOwner();
  const guesses = Array.from({ length: 1000 }, (_, guess) =>
    tryPassword(email, `guess ${guess}`, caller()),
  );
  const outcomes = await Promise.all(guesses);
  // Ten at once; one more for every minute that it takes.
  expect(countOf(outcomes, "refused")).toBeGreaterThanOrEqual(10);
  expect(countOf(outcomes, "refused")).toBeLessThanOrEqual(12);
  expect(countOf(outcomes, "told to wait")).toBe(1000 - countOf(outcomes, "refused"));
  const known = makeBrowserToken(id);
  expect(await tryPassword(email, password, caller({ knownBrowser: known }))).toBe("opened");
  await wait(60);
  expect(await tryPassword(email, password, caller())).toBe("opened");
});

it("the right password costs no attempt", async () => {
  const { email } = await makeOwner();
  const from = caller();
  await spend({ kind: "password", of: email }, 9);
  for (let time = 0; time < 3; time++) {
    expect(await tryPassword(email, password, from)).toBe("opened");
  }
});

it("one address has its attempts for all accounts together, and gets one every ten seconds", async () => {
  const from = caller();
  await spend({ kind: "address", of: from.address }, 60);
  const { email } = await makeOwner();
  expect(await tryPassword(email, password, from)).toBe("told to wait");
  expect(await tryPassword(email, password, caller())).toBe("opened");
  await wait(10);
  expect(await tryPassword(email, password, from)).toBe("opened");
});

it("what is refused for one limit costs nothing at another", async () => {
  const from = caller();
  await spend({ kind: "password", of: "tried@example.com" }, 10);
  for (let time = 0; time < 70; time++) await tryPassword("tried@example.com", "wrong", from);
  const { email } = await makeOwner();
  expect(await tryPassword(email, password, from)).toBe("opened");
});

it("a browser is known for the account that it was signed in to alone, and is held to its own limit", async () => {
  const [mine, other] = [await makeOwner(), await makeOwner()];
  await spend({ kind: "password", of: mine.email }, 10);
  const attempt = (knownBrowser: string) =>
    tryPassword(mine.email, "wrong", caller({ knownBrowser }));
  const known = makeBrowserToken(mine.id);
  for (const none of [makeBrowserToken(other.id), `${known}0`, known.slice(1), "", "."]) {
    expect(await attempt(none)).toBe("told to wait");
  }
  expect(await attempt(known)).toBe("refused");
  await spend({ kind: "browser", of: readBrowserToken(known, mine.id) ?? "" }, 9);
  expect(await attempt(known)).toBe("told to wait");
});

it("an account without a password opens by none", async () => {
  const email = "no-password@example.com";
  await createAccount({ email });
  for (const given of ["", "null", "undefined"]) {
    expect(await tryPassword(email, given, caller())).toBe("refused");
  }
});

it("an address with and one without an account take the same work", async () => {
  const { email } = await makeOwner();
  const measure = async (address: string) => {
    const startedAt = performance.now();
    await tryPassword(address, "wrong", caller());
    return performance.now() - startedAt;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let time = 0; time < 5; time++) {
    known.push(await measure(email));
    unknown.push(await measure(`nobody-at-all@example.com`));
  }
  const median = (times: number[]) => times.toSorted((a, b) => a - b)[2] ?? 0;
  const ratio = median(known) / median(unknown);
  expect(ratio).toBeGreaterThan(0.4);
  expect(ratio).toBeLessThan(2.5);
});

it("the first account of an installation has to replace the password that was made for it", async () => {
  await db().execute(sql`truncate accounts cascade`);
  const first = await ensureFirstAccount();
  const account = await findAccountByEmail(db(), "admin@localhost");
  expect(account).toMatchObject({ plan: "enterprise", mustSetPassword: true });
  expect(await tryPassword("admin@localhost", first?.password ?? "", caller())).toBe("opened");
});
