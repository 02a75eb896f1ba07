import { describe, expect, it } from "vitest";
import { classifyOrigin, mayBeWrite, safeRedirectPath } from "#lib/auth/origin.ts";
import { env } from "#lib/env.ts";

describe("a redirect stays within the service", () => {
  it.each([
    ["/dashboard/jobs?status=failed#last", "/dashboard/jobs?status=failed#last"],
    [`${env.APP_URL}/docs`, "/docs"],
    ["/a/../b", "/b"],
    ["/%2f%2fevil.example", "/%2f%2fevil.example"],
  ])("%s leads to %s", (target, path) => {
    expect(safeRedirectPath(target)).toBe(path);
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
  ])("%j leads to the dashboard", (target) => {
    const path = safeRedirectPath(target);
    expect(new URL(path, env.APP_URL).origin).toBe(new URL(env.APP_URL).origin);
    expect(path).toBe("/dashboard");
  });
});

describe("a request", () => {
  const { host } = new URL(env.APP_URL);
  it.each([
    ["same-origin", { origin: env.APP_URL, host, "sec-fetch-site": "same-origin" }],
    ["same-origin", { origin: env.APP_URL, host }],
    ["same-origin", { origin: "http://127.0.0.1:3000", host: "127.0.0.1:3000" }],
    ["cross-origin", { origin: "http://rebound.example", host: "rebound.example" }],
    ["same-origin", { "sec-fetch-site": "same-origin" }],
    ["cross-origin", { origin: "http://a.test", "x-forwarded-host": "a.test", host }],
    ["cross-origin", { origin: "https://evil.example", host }],
    ["cross-origin", { origin: "null", host }],
    ["cross-origin", { origin: `https://${host}`, host }],
    ["cross-origin", { origin: env.APP_URL, host, "sec-fetch-site": "cross-site" }],
    ["cross-origin", { origin: env.APP_URL, host, "sec-fetch-site": "same-site" }],
    ["cross-origin", { "sec-fetch-site": "none" }],
    ["unknown", { host }],
  ] as const)("is %s: %j", (origin, headers) => {
    expect(classifyOrigin(new Headers(headers))).toBe(origin);
  });

  it("may be a write if it has headers that page loads do not have", () => {
    const pageLoad = { host, cookie: "a=b", "sec-fetch-site": "cross-site", accept: "text/html" };
    expect(mayBeWrite(new Headers(pageLoad))).toBe(false);
    for (const name of ["origin", "content-type", "next-action"]) {
      expect(mayBeWrite(new Headers({ ...pageLoad, [name]: "x" }))).toBe(true);
    }
  });
});
