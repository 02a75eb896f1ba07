import { expect, it } from "vitest";
import { choicePasswordField, emailField, newEmailField } from "#lib/auth/credentials.ts";
import { hashPassword, verifyPassword } from "#lib/auth/passwords.ts";

it.each([
  [" Ada@Example.COM ", "ada@example.com"],
  ["admin@localhost", "admin@localhost"],
])("the address %j is kept as %j", (given, kept) => {
  expect(emailField.parse(given)).toBe(kept);
});

it.each(["", "ada", "a b@example.com", "a@b@c", "a\0@example.com", "a\u202e@example.com", "@x"])(
  "%j is no address",
  (given) => {
    expect(emailField.safeParse(given).success).toBe(false);
  },
);

it("a new account needs an address that e-mail could reach", () => {
  expect(newEmailField.safeParse("admin@localhost").success).toBe(false);
  expect(newEmailField.parse("Ada@example.com")).toBe("ada@example.com");
});

it.each(["short77", "password", "PASSWORD", "12345678", "aaaaaaaa", "abababab", "x".repeat(201)])(
  "nobody may choose %j",
  (password) => {
    expect(choicePasswordField.safeParse(password).success).toBe(false);
  },
);

it("any characters may be chosen, and are the same however a keyboard composes them", async () => {
  const composed = "schl\u00fcssel \u{1f511} \u0627\u0644";
  expect(choicePasswordField.parse(composed)).toBe(composed);
  const hash = await hashPassword(composed);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(hash, composed.normalize("NFD"))).toBe(true);
  expect(await verifyPassword(hash, `${composed} `)).toBe(false);
});
