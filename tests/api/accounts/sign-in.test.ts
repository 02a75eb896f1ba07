import { Agent, request } from "undici";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { insertAccount, insertPerson } from "#tests/service/accounts.ts";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { admin, Client } from "#tests/service/http/client.ts";
import { FormBrowser, type FormPage, textOf } from "#tests/service/http/form-browser.ts";
import { expectError } from "#tests/support/expect-error.ts";

const { url } = inject("service");
const password = "purple lighthouse 9";

const createPerson = () => insertPerson(password);

async function openSession(email: string): Promise<FormBrowser> {
  const browser = new FormBrowser(url);
  expect((await browser.signIn(email, password)).status).toBe(200);
  return browser;
}

async function isSignedIn(browser: FormBrowser): Promise<boolean> {
  return (await browser.send("/dashboard/settings")).status === 200;
}

let ada: string;
beforeAll(async () => {
  ada = await createPerson();
});

describe("signing in", () => {
  it("leads to the requested page, with a session cookie that scripts and other sites cannot use", async () => {
    const browser = new FormBrowser(url);
    const signInPage = await browser.open("/dashboard/settings");
    expect(signInPage.path).toBe("/sign-in?next=%2Fdashboard%2Fsettings");
    const fields = { email: ` ${ada.toUpperCase()} `, password };
    const page = await browser.submit(signInPage, "Sign in", fields);
    expect([page.status, page.path]).toEqual([200, "/dashboard/settings"]);
    expect(textOf(page)).toContain(ada);
    const cookie = browser.setCookies.find((line) => line.startsWith("next-auth.session-token="));
    expect(cookie).toMatch(/; HttpOnly(;|$)/);
    expect(cookie).toMatch(/; SameSite=lax(;|$)/i);
    expect(cookie).toMatch(/; Path=\/(;|$)/);
    expect(cookie).not.toMatch(/; Domain=/i);
    expect(page.headers.get("cache-control")).toMatch(/private|no-store/);
  });

  it.each(["//evil.example", "https://evil.example", "/\\evil.example", "javascript:alert(1)"])(
    "never redirects to %s",
    async (target) => {
      const browser = new FormBrowser(url);
      const next = encodeURIComponent(target);
      const page = await browser.open(`/sign-in?next=${next}&callbackUrl=${next}`);
      expect(page.html).not.toContain('value="https://evil.example');
      const landed = await browser.submit(page, "Sign in", {
        email: ada,
        password,
        next: target,
      });
      expect(landed.path).toBe("/dashboard");
      const byNextAuth = await browser.signIn(ada, password, { callbackUrl: target });
      expect(await byNextAuth.json()).toEqual({ url: `${url}/dashboard` });
      for (const path of ["signin", "signout", "error", "csrf"]) {
        const response = await browser.send(`/api/auth/${path}?callbackUrl=${next}`);
        expect(response.status).toBeLessThan(400);
        expect(response.headers.get("location") ?? "/").toMatch(/^\/(?![/\\])/);
      }
    },
  );

  it("creates a new session id each time, and ends the previous session of the browser", async () => {
    const other = await openSession(await createPerson());
    const previous = other.session;
    const browser = new FormBrowser(url);
    browser.cookies.set("next-auth.session-token", previous ?? "");
    await browser.signIn(ada, password);
    expect(browser.session).not.toBe(previous);
    const account = await (await browser.send("/api/auth/session")).json();
    expect(account).toMatchObject({ user: { email: ada } });
    expect(await isSignedIn(other)).toBe(false);
  });

  it("accepts no cookie that it did not issue", async () => {
    const browser = await openSession(ada);
    const real = browser.session ?? "";
    const middle = real.length >> 1;
    const altered = `${real.slice(0, middle)}${real[middle] === "A" ? "B" : "A"}${real.slice(middle + 1)}`;
    for (const forged of [
      altered,
      real.slice(0, -1),
      "x",
      "a.b.c.d.e",
      "eyJhbGciOiJub25lIn0.e30.",
    ]) {
      browser.cookies.set("next-auth.session-token", forged);
      expect(await isSignedIn(browser), forged).toBe(false);
    }
  });
});

describe("a wrong password and an unknown email address", () => {
  /** How many characters the page has. Next.js cuts the data for the browser where its stream happens to. */
  const lengthOf = (page: FormPage, email: string) =>
    page.html
      .replaceAll(email, "")
      .replaceAll(/"\]\)<\/script><script[^>]*>self\.__next_f\.push\(\[1,"/g, "").length;

  /** The parts of a page to compare, without the entered email address. */
  const summarize = (page: FormPage, email: string) =>
    [page.status, page.path, textOf(page), lengthOf(page, email)] as const;

  it("get the same response", async () => {
    const responses = [];
    for (const email of [ada, `person-${"0".repeat(10)}@example.com`]) {
      const browser = new FormBrowser(url);
      const page = await browser.submit(await browser.open("/sign-in"), "Sign in", {
        email,
        password: "wrong",
      });
      expect(textOf(page)).toContain("The email address or password is incorrect.");
      const byNextAuth = await browser.signIn(email, "wrong");
      expect(browser.session).toBeUndefined();
      responses.push([...summarize(page, email), byNextAuth.status, await byNextAuth.text()]);
    }
    expect(responses[0]).toEqual(responses[1]);
  });

  it("a hundred times from one network are rate limited, and do not lock the owner out on another one", async () => {
    const email = await createPerson();
    const browser = new FormBrowser(url);
    const csrfResponse = await browser.send("/api/auth/csrf");
    const { csrfToken } = (await csrfResponse.json()) as Record<string, string>;
    const csrf = `next-auth.csrf-token=${browser.cookies.get("next-auth.csrf-token")}`;
    // Another IP address than that of the browser.
    const dispatcher = new Agent({ localAddress: "127.0.0.77", connections: 8 });
    const target = `http://127.0.0.1:${new URL(url).port}/api/auth/callback/credentials`;
    const guess = async (count: number): Promise<string> => {
      const fields = { csrfToken: csrfToken ?? "", email, password: `guess ${count}` };
      const { headers, body } = await request(target, {
        dispatcher,
        method: "POST",
        headers: { cookie: csrf, "content-type": "application/x-www-form-urlencoded" },
        body: String(new URLSearchParams(fields)),
      });
      await body.dump();
      return new URL(String(headers.location), url).searchParams.get("error") ?? "";
    };
    const errors = await Promise.all(Array.from({ length: 100 }, (_, count) => guess(count)));
    const checked = errors.filter((error) => error === "CredentialsSignin").length;
    expect(checked).toBeGreaterThanOrEqual(10);
    expect(checked).toBeLessThanOrEqual(12);
    expect(errors.filter((error) => error === "TooManyAttempts")).toHaveLength(100 - checked);
    await dispatcher.close();
    expect((await browser.signIn(email, password)).status).toBe(200);
  });
});

describe("a session ends at once", () => {
  it("when its owner signs out, also for a copied cookie", async () => {
    const browser = await openSession(ada);
    const copy = new FormBrowser(url);
    copy.cookies.set("next-auth.session-token", browser.session ?? "");
    expect(await isSignedIn(copy)).toBe(true);
    const { csrfToken } = (await (await browser.send("/api/auth/csrf")).json()) as Record<
      string,
      string
    >;
    const body = new URLSearchParams({ csrfToken: csrfToken ?? "" });
    await browser.send("/api/auth/signout", { method: "POST", body });
    expect(browser.session).toBeUndefined();
    expect(await isSignedIn(copy)).toBe(false);
    expect(await (await copy.send("/api/auth/session")).json()).toEqual({});
  });

  it("with the sign-out button of the dashboard", async () => {
    const browser = await openSession(ada);
    const copy = browser.session ?? "";
    const page = await browser.submit(await browser.open("/dashboard/settings"), "Sign out", {});
    expect(page.path).toBe("/sign-in");
    browser.cookies.set("next-auth.session-token", copy);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it("everywhere, or in one other browser", async () => {
    const person = await createPerson();
    const here = await openSession(person);
    const there = await openSession(person);
    const elsewhere = await openSession(person);
    const settings = await here.open("/dashboard/settings");
    const others = settings.html.match(/(?<=name="session" value=")ses_\w{24}/g) ?? [];
    expect(others).toHaveLength(2);
    await here.submit(settings, `value="${others[0]}"`, {});
    const states = await Promise.all([here, there, elsewhere].map(isSignedIn));
    expect(states.filter(Boolean)).toHaveLength(2);
    await here.submit(await here.open("/dashboard/settings"), "Sign out everywhere", {});
    expect(await Promise.all([here, there, elsewhere].map(isSignedIn))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it("when the password changes, and this browser gets a new session id", async () => {
    const person = await createPerson();
    const here = await openSession(person);
    const there = await openSession(person);
    const before = here.session;
    const settings = await here.open("/dashboard/settings");
    const change = (current: string) =>
      here.submit(settings, "Change password", { current, password: "green submarine 7" });
    expect(textOf(await change("wrong"))).toContain("That is not your current password.");
    expect(await isSignedIn(there)).toBe(true);
    expect(textOf(await change(password))).toContain("Your password is changed.");
    expect(here.session).not.toBe(before);
    expect(await Promise.all([here, there].map(isSignedIn))).toEqual([true, false]);
    const stale = new FormBrowser(url);
    stale.cookies.set("next-auth.session-token", before ?? "");
    expect(await isSignedIn(stale)).toBe(false);
  });

  it("when the operator sets the password, and so does every API key", async () => {
    const { email: person, key } = await insertAccount({ password });
    const browser = await openSession(person);
    const withKey = new Client(key);
    const other = new Client();
    expect((await withKey.request("/v1/usage")).status).toBe(200);
    const chosen = "the operator chose";
    await admin("account", "set-password", "--email", person, "--password", chosen);
    expect(await isSignedIn(browser)).toBe(false);
    await expectError(await withKey.request("/v1/usage"), "unauthorized");
    expect((await other.request("/v1/usage")).status).toBe(200);
    expect((await browser.signIn(person, chosen)).status).toBe(200);
  });
});

describe("a password that the operator chose", () => {
  it("must be replaced with a different one before anything else", async () => {
    const person = await createPerson();
    await withServiceDatabase(
      (sql) => sql`update accounts set must_set_password = true where email = ${person}`,
    );
    const browser = await openSession(person);
    const page = await browser.open("/dashboard/settings");
    expect(page.path).toBe("/set-password?next=%2Fdashboard%2Fsettings");
    const same = await browser.submit(page, "Set password", { password });
    expect(textOf(same)).toContain("Choose another");
    expect(await isSignedIn(browser)).toBe(false);
    const done = await browser.submit(page, "Set password", { password: "green submarine 7" });
    expect(done.path).toBe("/dashboard/settings");
    expect(await isSignedIn(browser)).toBe(true);
  });
});

describe("API keys and sessions are separate", () => {
  it("the API does not accept a session cookie", async () => {
    const browser = await openSession(ada);
    for (const path of ["/v1/usage", "/v1/jobs"]) {
      await expectError(await browser.send(path), "unauthorized");
    }
    const key = { "x-api-key": inject("service").apiKey };
    const usage = await (await browser.send("/v1/usage", { headers: key })).json();
    expect(usage).toMatchObject({ plan: "enterprise" });
  });

  it("a page does not accept an API key", async () => {
    const headers = { "x-api-key": inject("service").apiKey };
    expect(await isSignedIn(new FormBrowser(url, { headers }))).toBe(false);
  });
});
