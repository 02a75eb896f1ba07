import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import type { Account } from "#lib/db/queries/accounts/accounts.ts";
import { findSignatureFault } from "#lib/webhooks/signature/verify.ts";

const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(32, "-")).toString("base64")}`;
const [secret, previous, other] = ["now", "before", "other"].map(secretOf) as [
  string,
  string,
  string,
];
const at = new Date("2026-11-23T10:00:00Z");
const body = '{"type":"test","name":"日本"}';

const account = (expiresAt: Date | null): Account =>
  ({
    webhookSecret: secret,
    previousWebhookSecret: expiresAt && previous,
    previousWebhookSecretExpiresAt: expiresAt,
  }) as Account; // the fields that are read

function signed(key: string, time = at): Record<string, string> {
  return {
    "webhook-id": "whd_1",
    "webhook-timestamp": String(time.getTime() / 1000),
    "webhook-signature": new Webhook(key).sign("whd_1", time, body),
  };
}

const without = (name: string) => {
  const { [name]: _left, ...rest } = signed(secret);
  return rest;
};
const seconds = (count: number) => new Date(at.getTime() + count * 1000);

it.each<[string, Record<string, string>, RegExp | null, string?]>([
  ["the secret", signed(secret), null],
  ["no headers", {}, /not signed/],
  ["no id", without("webhook-id"), /header webhook-id is missing/],
  ["no signature", without("webhook-signature"), /webhook-signature is missing/],
  ["a date as timestamp", { ...signed(secret), "webhook-timestamp": "today" }, /whole number/],
  ["another version", { ...signed(secret), "webhook-signature": "v2,abc" }, /version v1/],
  ["another secret", signed(other), /No signature matches/],
  ["another body", signed(secret), /No signature matches/, `${body} `],
  ["another id", { ...signed(secret), "webhook-id": "whd_2" }, /No signature matches/],
  ["an old timestamp", signed(secret, seconds(-301)), /301 seconds in the past/],
  ["a late timestamp", signed(secret, seconds(301)), /301 seconds in the future/],
  ["a timestamp within 5 minutes", signed(secret, seconds(-300)), null],
])("%s", (_name, headers, expected, text = body) => {
  const fault = findSignatureFault(account(null), headers, Buffer.from(text), at);
  if (expected === null) expect(fault).toBeNull();
  else expect(fault).toMatch(expected);
});

it("after a rotation both secrets are valid, and an expired one is named", () => {
  const verify = (headers: Record<string, string>, until: Date) =>
    findSignatureFault(account(until), headers, Buffer.from(body), at);
  const { "webhook-signature": second } = signed(other);
  const both = { ...signed(secret) };
  both["webhook-signature"] = `${second} ${both["webhook-signature"]}`;
  expect(verify(both, seconds(60))).toBeNull();
  expect(verify(signed(previous), seconds(60))).toBeNull();
  expect(verify(signed(previous), seconds(-60))).toContain("no longer valid");
});
