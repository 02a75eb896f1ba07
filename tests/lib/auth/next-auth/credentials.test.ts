import { expect, it } from "vitest";
import { emailField, newEmailField, newPasswordField } from "#lib/auth/next-auth/credentials.ts";
import { hashPassword, verifyPassword } from "#lib/auth/passwords.ts";

it.each([
  [" Ada@Example.COM ", "ada@example.com"],
  ["admin@localhost", "admin@localhost"],
])("the email address %j is stored as %j", (input, stored) => {
  expect(emailField.parse(input)).toBe(stored);
});

it.each(["", "ada", "a b@example.com", "a@b@c", "a\0@example.com", "a\u202e@example.com", "@x"])(
  "%j is not an email address",
  (input) => {
    expect(emailField.safeParse(input).success).toBe(false);
  },
);

it("a new account needs an email address that can receive mail", () => {
  expect(newEmailField.safeParse("admin@localhost").success).toBe(false);
  expect(newEmailField.parse("Ada@example.com")).toBe("ada@example.com");
});

it.each(["short77", "password", "PASSWORD", "12345678", "aaaaaaaa", "abababab", "x".repeat(201)])(
  "%j is rejected as a new password",
  (password) => {
    expect(newPasswordField.safeParse(password).success).toBe(false);
  },
);

it("a password may have any characters, and equal ones match in any Unicode composition", async () => {
  const composed = "schl\u00fcssel \u{1f511} \u0627\u0644";
  expect(newPasswordField.parse(composed)).toBe(composed);
  const hash = await hashPassword(composed);
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await verifyPassword(hash, composed.normalize("NFD"))).toBe(true);
  expect(await verifyPassword(hash, `${composed} `)).toBe(false);
});
