import { describe, expect, it } from "vitest";
import { looksLikeWrite, ownPath, provenanceOf } from "#lib/auth/origin.ts";
import { env } from "#lib/env.ts";

describe("where to go next stays with us", () => {
  it.each([
    ["/dashboard/jobs?status=failed#last", "/dashboard/jobs?status=failed#last"],
    [`${env.APP_URL}/docs`, "/docs"],
    ["/a/../b", "/b"],
    ["/%2f%2fevil.example", "/%2f%2fevil.example"],
  ])("%s leads to %s", (given, path) => {
    expect(ownPath(given)).toBe(path);
  });

  it.each([
    "//evil.example",
    "///evil.example",
    "/\\evil.example",
    "/\\/evil.example",
    "\\/evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    " //evil.example",
    "https://evil.example",
    "https:evil.example",
    "http:/evil.example",
    `${env.APP_URL}@evil.example/`,
    `${env.APP_URL}.evil.example/`,
    `${env.APP_URL}//evil.example`,
    "javascript:alert(1)",
    "data:text/html,x",
    "dashboard",
    "",
    undefined,
    ["/dashboard"],
  ])("%j leads to the dashboard", (given) => {
    const path = ownPath(given);
    expect(new URL(path, env.APP_URL).origin).toBe(new URL(env.APP_URL).origin);
    expect(path).toBe("/dashboard");
  });
});

describe("a write comes", () => {
  const { host } = new URL(env.APP_URL);
  it.each([
    ["own", { origin: env.APP_URL, host, "sec-fetch-site": "same-origin" }],
    ["own", { origin: env.APP_URL, host }],
    ["own", { origin: "http://192.168.1.5:3000", host: "192.168.1.5:3000" }],
    ["own", { "sec-fetch-site": "same-origin" }],
    ["own", { origin: "http://a.test", "x-forwarded-host": "a.test, b.test", host: "b.test" }],
    ["foreign", { origin: "https://evil.example", host }],
    ["foreign", { origin: "null", host }],
    ["foreign", { origin: `https://${host}`, host }],
    ["foreign", { origin: env.APP_URL, host, "sec-fetch-site": "cross-site" }],
    ["foreign", { origin: env.APP_URL, host, "sec-fetch-site": "same-site" }],
    ["foreign", { "sec-fetch-site": "none" }],
    ["unknown", { host }],
  ] as const)("from %s pages: %j", (provenance, headers) => {
    expect(provenanceOf(new Headers(headers))).toBe(provenance);
  });

  it("with what no plain reading of a page has", () => {
    const reading = { host, cookie: "a=b", "sec-fetch-site": "cross-site", accept: "text/html" };
    expect(looksLikeWrite(new Headers(reading))).toBe(false);
    for (const name of ["origin", "content-type", "next-action"]) {
      expect(looksLikeWrite(new Headers({ ...reading, [name]: "x" }))).toBe(true);
    }
  });
});
