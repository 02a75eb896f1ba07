import { expect, it } from "vitest";
import { createAccount } from "#lib/auth/accounts.ts";
import { findOrCreateAccountByIdentity } from "#lib/auth/next-auth/identities.ts";
import { verifiedEmail } from "#lib/auth/next-auth/providers.ts";
import { closeAccount } from "#lib/jobs/actions/close-account.ts";

const gitHub = (subject: string) => ({ provider: "github", subject }) as const;

async function idOf(result: ReturnType<typeof findOrCreateAccountByIdentity>): Promise<string> {
  const account = await result;
  if (typeof account === "string") throw new Error(account);
  return account.id;
}

it("a new identity gets an account, and keeps it with another email address", async () => {
  const id = await idOf(findOrCreateAccountByIdentity(gitHub("1"), "One@example.com"));
  expect(await idOf(findOrCreateAccountByIdentity(gitHub("1"), "moved@example.com"))).toBe(id);
  expect(await idOf(findOrCreateAccountByIdentity(gitHub("1"), undefined))).toBe(id);
});

it("an account with a password is not linked to an identity with its email address", async () => {
  await createAccount({ email: "two@example.com", password: "purple lighthouse 9" });
  expect(await findOrCreateAccountByIdentity(gitHub("2"), "two@example.com")).toBe("AccountExists");
});

it("an account that the operator created without a password can be linked once", async () => {
  const created = await createAccount({ email: "three@example.com", plan: "pro" });
  expect(await idOf(findOrCreateAccountByIdentity(gitHub("3"), "three@example.com"))).toBe(
    created?.id,
  );
  const other = { provider: "google", subject: "3" } as const;
  expect(await findOrCreateAccountByIdentity(other, "three@example.com")).toBe("AccountExists");
});

it("an identity without a verified email address gets no account", async () => {
  expect(await findOrCreateAccountByIdentity(gitHub("4"), undefined)).toBe("NoVerifiedEmail");
  const email = "five@example.com";
  expect(verifiedEmail("google", { email, email_verified: false })).toBeUndefined();
  expect(verifiedEmail("google", { email })).toBeUndefined();
  expect(verifiedEmail("google", { email, email_verified: true })).toBe(email);
  expect(verifiedEmail("github", { email: "" })).toBeUndefined();
});

it("of ten concurrent identities with one email address, one gets the account", async () => {
  const results = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      findOrCreateAccountByIdentity(gitHub(`six-${index}`), "six@example.com"),
    ),
  );
  expect(results.filter((one) => typeof one !== "string")).toHaveLength(1);
});

it("the identity of a deleted account gets a new account", async () => {
  const id = await idOf(findOrCreateAccountByIdentity(gitHub("7"), "seven@example.com"));
  await closeAccount(id);
  expect(await idOf(findOrCreateAccountByIdentity(gitHub("7"), "seven@example.com"))).not.toBe(id);
});
