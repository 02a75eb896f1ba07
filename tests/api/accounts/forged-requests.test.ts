import { beforeAll, describe, expect, inject, it } from "vitest";
import { insertPerson } from "#tests/service/accounts.ts";
import { FormBrowser, type FormPage, textOf } from "#tests/service/http/form-browser.ts";

const { url } = inject("service");
const password = "purple lighthouse 9";
let email: string;
let browser: FormBrowser;
let settings: FormPage;

beforeAll(async () => {
  email = await insertPerson(password);
  browser = new FormBrowser(url);
  await browser.signIn(email, password);
  settings = await browser.open("/dashboard/settings");
});

/** Headers that a signed-in browser sends with a form that another site's page submits. */
const forgeries: readonly [string, Record<string, string>][] = [
  ["another site", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
  ["another port", { origin: "http://localhost:1", "sec-fetch-site": "same-site" }],
  ["a sandboxed frame", { origin: "null", "sec-fetch-site": "cross-site" }],
  [
    "another site, by an old browser",
    { origin: "https://evil.example", "sec-fetch-site": "none at all" },
  ],
  ["an unknown origin", { origin: "none at all", "sec-fetch-site": "none at all" }],
];

describe.each(forgeries)("a form from %s", (_name, headers) => {
  it("is not accepted", async () => {
    const page = await browser.submit(settings, "Sign out everywhere", {}, { headers });
    expect([403, 200]).toContain(page.status);
    // The form is rejected, or it is treated as signed out and redirected to sign-in.
    if (page.status === 200) expect(page.path).toMatch(/^\/(sign-in|dashboard)/);
    expect((await browser.send("/dashboard/settings")).status).toBe(200);
  });

  it("does not sign the browser in to an attacker's account", async () => {
    if (headers.origin === "none at all") return;
    const target = new FormBrowser(url);
    const fields = { email, password };
    const page = await target.submit(await target.open("/sign-in"), "Sign in", fields, { headers });
    expect(page.status).toBe(403);
    expect(target.session).toBeUndefined();
  });
});

describe("NextAuth's endpoints", () => {
  it.each(["signin/credentials", "callback/credentials", "signout", "session"])(
    "%s has no effect without the CSRF token of the page, or from another site",
    async (path) => {
      const post = (fields: Record<string, string>, headers = {}) =>
        browser.send(`/api/auth/${path}`, {
          method: "POST",
          body: new URLSearchParams({ email, password, ...fields }),
          headers,
        });
      const before = browser.session;
      await post({});
      await post({ csrfToken: "0".repeat(64) });
      const csrf = await (await browser.send("/api/auth/csrf")).json();
      const { csrfToken } = csrf as Record<string, string>;
      const crossSite = await post(
        { csrfToken: csrfToken ?? "" },
        { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      );
      expect(crossSite.status).toBe(403);
      expect(browser.session).toBe(before);
      expect((await browser.send("/dashboard/settings")).status).toBe(200);
    },
  );

  it.each([
    ["the public log endpoint", "POST", "/api/auth/_log", 404],
    ["an unknown path", "GET", "/api/auth/nothing", 404],
    ["an unknown provider", "GET", "/api/auth/callback/unknown", 400],
    ["another method", "DELETE", "/api/auth/session", 405],
  ])("%s returns an error without internal details", async (_name, method, path, status) => {
    const response = await fetch(url + path, { method, redirect: "manual" });
    expect(response.status).toBe(status);
    expect(await response.text()).not.toMatch(/\bat .+:\d+|node_modules/);
  });

  it.each([
    ["more than a megabyte", "x".repeat(1_100_000), "application/x-www-form-urlencoded", 413],
    ["broken JSON", "{", "application/json", 400],
    ["a list", "[]", "application/json", 400],
  ])("a body with %s is rejected", async (_name, body, type, status) => {
    const response = await fetch(`${url}/api/auth/callback/credentials`, {
      method: "POST",
      body,
      headers: { "content-type": type },
    });
    expect(response.status).toBe(status);
  });

  it("fields that are not text do not sign in", async () => {
    const visitor = new FormBrowser(url);
    const csrf = await (await visitor.send("/api/auth/csrf")).json();
    const { csrfToken } = csrf as Record<string, string>;
    for (const fields of [
      { email: [email], password: [password] },
      { email: { $ne: "" }, password: { $ne: "" } },
      { email, password: null },
      { email: `${email}\0`, password },
    ]) {
      const response = await visitor.send("/api/auth/callback/credentials", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, ...fields }),
      });
      expect(response.status).toBe(302);
      // A list of one email address counts as that address, so the right password signs in.
      if (!Array.isArray(fields.email)) expect(visitor.session).toBeUndefined();
      visitor.cookies.delete("next-auth.session-token");
    }
  });
});

describe("every page", () => {
  it.each([
    "/",
    "/sign-in",
    "/sign-up",
    "/forgot-password",
    "/no/such/page",
    "/dashboard/settings",
  ])("%s runs only its own scripts and cannot be framed", async (path) => {
    const page = await browser.open(path);
    const policy = page.headers.get("content-security-policy") ?? "";
    const nonce = /script-src 'self' 'nonce-(\w{32})' 'strict-dynamic';/.exec(policy)?.[1];
    expect(nonce, policy).toBeDefined();
    for (const directive of ["default-src 'self'", "frame-ancestors 'none'", "object-src 'none'"]) {
      expect(policy).toContain(directive);
    }
    expect(policy).not.toMatch(/script-src[^;]*unsafe|https?:(?!\/\/localhost)/);
    const scripts = page.html.match(/<script\b[^>]*>/g) ?? [];
    expect(scripts.length).toBeGreaterThan(3);
    for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`);
    expect(page.html).not.toMatch(/<[^>]+\son\w+=/);
    const reopened = await browser.open(path);
    expect(reopened.headers.get("content-security-policy")).not.toContain(nonce);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "same-origin",
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": expect.stringContaining("camera=()"),
      "cache-control": expect.stringMatching(/no-store/),
    });
    expect(page.headers.has("x-powered-by")).toBe(false);
  });

  it("query values and form values are escaped", async () => {
    const page = await browser.open("/sign-in?error=%3Cscript%3E&next=%22%3E%3Cscript%3Ealert(1)");
    expect(page.html).not.toContain("<script>alert(1)");
    const visitor = new FormBrowser(url);
    const rejected = await visitor.submit(await visitor.open("/sign-in"), "Sign in", {
      email: '"><script>alert(1)</script>@x',
      password: "wrong",
    });
    expect(rejected.html).not.toContain("<script>alert(1)");
    expect(textOf(rejected)).toContain("The email address or password is incorrect.");
  });
});
