import { expect, it } from "vitest";
import { createAccount } from "#lib/auth/accounts.ts";
import { admitIdentity } from "#lib/auth/identities.ts";
import { verifiedEmail } from "#lib/auth/providers.ts";
import { closeAccount } from "#lib/jobs/actions/close-account.ts";

const gitHub = (subject: string) => ({ provider: "github", subject }) as const;

async function idOf(admitted: ReturnType<typeof admitIdentity>): Promise<string> {
  const account = await admitted;
  if (typeof account === "string") throw new Error(account);
  return account.id;
}

it("somebody new gets an account, and is the same afterwards under another address", async () => {
  const id = await idOf(admitIdentity(gitHub("1"), "One@example.com"));
  expect(await idOf(admitIdentity(gitHub("1"), "moved@example.com"))).toBe(id);
  expect(await idOf(admitIdentity(gitHub("1"), undefined))).toBe(id);
});

it("an account with a password is not given to whoever has its address at a provider", async () => {
  await createAccount({ email: "two@example.com", password: "purple lighthouse 9" });
  expect(await admitIdentity(gitHub("2"), "two@example.com")).toBe("AccountExists");
});

it("an account that the operator made without a password is its address's, once", async () => {
  const made = await createAccount({ email: "three@example.com", plan: "pro" });
  expect(await idOf(admitIdentity(gitHub("3"), "three@example.com"))).toBe(made?.id);
  const other = { provider: "google", subject: "3" } as const;
  expect(await admitIdentity(other, "three@example.com")).toBe("AccountExists");
});

it("without an address that the provider has verified there is no account", async () => {
  expect(await admitIdentity(gitHub("4"), undefined)).toBe("NoVerifiedEmail");
  const email = "five@example.com";
  expect(verifiedEmail("google", { email, email_verified: false })).toBeUndefined();
  expect(verifiedEmail("google", { email })).toBeUndefined();
  expect(verifiedEmail("google", { email, email_verified: true })).toBe(email);
  expect(verifiedEmail("github", { email: "" })).toBeUndefined();
});

it("of ten at once with one address, one gets the account", async () => {
  const admitted = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      admitIdentity(gitHub(`six-${index}`), "six@example.com"),
    ),
  );
  expect(admitted.filter((one) => typeof one !== "string")).toHaveLength(1);
});

it("a deleted account is not opened by a provider again; they get another one", async () => {
  const id = await idOf(admitIdentity(gitHub("7"), "seven@example.com"));
  await closeAccount(id);
  expect(await idOf(admitIdentity(gitHub("7"), "seven@example.com"))).not.toBe(id);
});
