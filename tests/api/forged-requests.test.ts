import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { admin } from "#tests/service/client.ts";
import { FormBrowser, type FormPage, textOf } from "#tests/service/form-browser.ts";

const { url } = inject("service");
const password = "purple lighthouse 9";
const email = `forged-${randomBytes(5).toString("hex")}@example.com`;
let browser: FormBrowser;
let settings: FormPage;

beforeAll(async () => {
  await admin("account", "create", "--email", email, "--password", password);
  browser = new FormBrowser(url);
  await browser.signIn(email, password);
  settings = await browser.open("/dashboard/settings");
});

/** What the browser of somebody who is signed in sends where another site's page made it. */
const forgeries: readonly [string, Record<string, string>][] = [
  ["another site's", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
  ["another port's", { origin: "http://localhost:1", "sec-fetch-site": "same-site" }],
  ["a sandboxed frame's", { origin: "null", "sec-fetch-site": "cross-site" }],
  [
    "an old browser's, another site's",
    { origin: "https://evil.example", "sec-fetch-site": "none at all" },
  ],
  [
    "without a word of where it comes from",
    { origin: "none at all", "sec-fetch-site": "none at all" },
  ],
];

describe.each(forgeries)("a form, %s", (_whose, headers) => {
  it("is not taken for its own", async () => {
    const page = await browser.submit(settings, "Sign out everywhere", {}, { headers });
    expect([403, 200]).toContain(page.status);
    // Refused, or nobody's: whose form cannot be known is sent to sign in.
    if (page.status === 200) expect(page.path).toMatch(/^\/(sign-in|dashboard)/);
    expect((await browser.send("/dashboard/settings")).status).toBe(200);
  });

  it("signs nobody in to an account of somebody else's choice", async () => {
    if (headers.origin === "none at all") return;
    const victim = new FormBrowser(url);
    const fields = { email, password };
    const page = await victim.submit(await victim.open("/sign-in"), "Sign in", fields, { headers });
    expect(page.status).toBe(403);
    expect(victim.session).toBeUndefined();
  });
});

describe("NextAuth's own addresses", () => {
  it.each(["signin/credentials", "callback/credentials", "signout", "session"])(
    "%s do nothing without the token of the page, nor for another site",
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
      const foreign = await post(
        { csrfToken: csrfToken ?? "" },
        { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
      );
      expect(foreign.status).toBe(403);
      expect(browser.session).toBe(before);
      expect((await browser.send("/dashboard/settings")).status).toBe(200);
    },
  );

  it.each([
    ["a log that anybody could write", "POST", "/api/auth/_log", 404],
    ["nothing known", "GET", "/api/auth/nothing", 404],
    ["an unknown provider", "GET", "/api/auth/callback/nobody", 400],
    ["another method", "DELETE", "/api/auth/session", 405],
  ])("%s is answered without a fault of ours", async (_what, method, path, status) => {
    const answer = await fetch(url + path, { method, redirect: "manual" });
    expect(answer.status).toBe(status);
    expect(await answer.text()).not.toMatch(/\bat .+:\d+|node_modules/);
  });

  it.each([
    ["a megabyte and more", "x".repeat(1_100_000), "application/x-www-form-urlencoded", 413],
    ["broken JSON", "{", "application/json", 400],
    ["a list", "[]", "application/json", 400],
  ])("a body of %s is refused", async (_what, body, type, status) => {
    const answer = await fetch(`${url}/api/auth/callback/credentials`, {
      method: "POST",
      body,
      headers: { "content-type": type },
    });
    expect(answer.status).toBe(status);
  });

  it("fields that are no text open nothing", async () => {
    const odd = new FormBrowser(url);
    const csrf = await (await odd.send("/api/auth/csrf")).json();
    const { csrfToken } = csrf as Record<string, string>;
    for (const fields of [
      { email: [email], password: [password] },
      { email: { $ne: "" }, password: { $ne: "" } },
      { email, password: null },
      { email: `${email}\0`, password },
    ]) {
      const answer = await odd.send("/api/auth/callback/credentials", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ csrfToken, ...fields }),
      });
      expect(answer.status).toBe(302);
      // One address in a list is that address; with the right password, no more than a sign-in.
      if (!Array.isArray(fields.email)) expect(odd.session).toBeUndefined();
      odd.cookies.delete("next-auth.session-token");
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
  ])("%s lets only its own scripts run, and nobody frame it", async (path) => {
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
    const others = await browser.open(path);
    expect(others.headers.get("content-security-policy")).not.toContain(nonce);
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

  it("shows an address as text, whatever is in it", async () => {
    const page = await browser.open("/sign-in?error=%3Cscript%3E&next=%22%3E%3Cscript%3Ealert(1)");
    expect(page.html).not.toContain("<script>alert(1)");
    const odd = new FormBrowser(url);
    const sent = await odd.submit(await odd.open("/sign-in"), "Sign in", {
      email: '"><script>alert(1)</script>@x',
      password: "wrong",
    });
    expect(sent.html).not.toContain("<script>alert(1)");
    expect(textOf(sent)).toContain("The e-mail address or password is incorrect.");
  });
});
