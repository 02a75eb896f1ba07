import { networkInterfaces } from "node:os";
import { afterEach, describe, expect, it, vi } from "vitest";

/** The module with these environment variables. */
async function load(variables: Record<string, string>) {
  vi.resetModules();
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  return import("#lib/hosts/allowed-hosts.ts");
}

afterEach(() => vi.unstubAllEnvs());

const interfaceAddresses = Object.values(networkInterfaces())
  .flatMap((entries) => entries ?? [])
  .map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address));

const settings = {
  APP_URL: "https://media.example",
  ALLOWED_HOSTS: "second.example, third.example:8443, 203.0.113.7, tls.example:443",
  VERCEL_URL: "mediamill-abc123.vercel.app",
};

describe("a service with the URL https://media.example and further hosts", () => {
  it.each([
    "media.example",
    "MEDIA.example:8443",
    "media.example.",
    "localhost",
    "localhost:3000",
    "second.example",
    "second.example:81",
    "third.example:8443",
    "203.0.113.7:3000",
    "tls.example",
    "tls.example:443",
    "mediamill-abc123.vercel.app",
    "127.0.0.1:3000",
    "127.8.9.10",
    "[::1]:3000",
    "[::ffff:127.0.0.1]",
    "0.0.0.0:3000",
    ...interfaceAddresses,
  ])("responds under %s", async (host) => {
    expect((await load(settings)).isAllowedHost(host)).toBe(true);
  });

  it.each([
    "attacker.example",
    "media.example.attacker.example",
    "xmedia.example",
    "a.localhost",
    "third.example",
    "third.example:81",
    "tls.example:81",
    "203.0.113.8",
    "[2001:db8::1]",
    "",
    "media.example/x",
    "x@media.example",
    "media.example,attacker.example",
    "a b",
  ])("does not respond under %j", async (host) => {
    expect((await load(settings)).isAllowedHost(host)).toBe(false);
  });
});

it.each([
  ["0", "proxy.example"],
  ["1", "media.example"],
])("with TRUST_PROXY=%s the requested host is %s", async (TRUST_PROXY, expected) => {
  const { requestedHost } = await load({ TRUST_PROXY });
  const sent = { host: "proxy.example", "x-forwarded-host": "media.example, inner.example" };
  expect(requestedHost(new Headers(sent))).toBe(expected);
  expect(requestedHost(new Headers())).toBeUndefined();
});
