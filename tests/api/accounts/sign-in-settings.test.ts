import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startGitHub } from "#tests/servers/github.ts";
import { type MailServer, mailText, startMailServer } from "#tests/servers/mail.ts";
import { insertAccount } from "#tests/service/accounts.ts";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { FormBrowser, textOf } from "#tests/service/http/form-browser.ts";
import { type Stack, startSmallStack, until } from "#tests/service/stack.ts";

/** A service behind an HTTPS proxy, with email and GitHub configured and sign-up closed. */
const publicUrl = "https://media.example";
const password = "purple lighthouse 9";
const invitedEmail = `guest-${randomBytes(4).toString("hex")}@example.com`;
let mail: MailServer;
let gitHub: Awaited<ReturnType<typeof startGitHub>>;
let stack: Stack;

beforeAll(async () => {
  mail = await startMailServer();
  const emails = (email: string, verified = true) => [{ email, primary: true, verified }];
  gitHub = await startGitHub([
    { id: 1, login: "guest", emails: emails(invitedEmail) },
    { id: 2, login: "visitor", emails: emails("visitor@example.com") },
    { id: 3, login: "impostor", emails: emails("ada@example.com") },
    { id: 4, login: "unverified", emails: emails("unverified@example.com", false) },
  ]);
  stack = await startSmallStack({
    APP_URL: publicUrl,
    TRUST_PROXY: "1",
    SIGN_UP: "closed",
    SMTP_URL: mail.url,
    SMTP_FROM: "Mediamill <mill@media.example>",
    GITHUB_ID: "client",
    GITHUB_SECRET: "secret",
    GITHUB_URL: gitHub.url,
  });
  await insertAccount({ email: "ada@example.com", password }, stack.dataDir);
  await insertAccount({ email: invitedEmail, plan: "business" }, stack.dataDir);
});

afterAll(async () => {
  await stack?.stop();
  mail?.close();
  gitHub?.close();
});

/** A browser behind the proxy, with its own IP address. */
function openBrowser(): FormBrowser {
  const bytes = [...randomBytes(3)];
  const headers = {
    "x-forwarded-host": "media.example",
    "x-forwarded-for": `20.${bytes.join(".")}`,
  };
  return new FormBrowser(stack.url, { publicUrl, headers });
}

describe("behind https", () => {
  it("the session cookie is bound to the host, and every response sets Strict-Transport-Security", async () => {
    const browser = openBrowser();
    const page = await browser.submit(await browser.open("/sign-in"), "Sign in", {
      email: "ada@example.com",
      password,
      next: "/dashboard/settings",
    });
    expect(page.path).toBe("/dashboard/settings");
    expect(textOf(page)).toMatch(/\b20\.\d+\.\d+\.\d+\b/);
    const cookies = browser.setCookies.filter((line) => line.includes("session-token"));
    expect(cookies.length).toBeGreaterThan(0);
    for (const line of cookies) {
      expect(line).toMatch(/^__Host-next-auth\.session-token=/);
      for (const flag of [/; HttpOnly/, /; Secure/, /; SameSite=lax/i, /; Path=\//]) {
        expect(line).toMatch(flag);
      }
      expect(line).not.toMatch(/; Domain/i);
    }
    for (const path of ["/", "/v1/operations", "/healthz", "/api/auth/csrf", "/icon.svg"]) {
      const { headers } = await browser.send(path);
      expect(headers.get("strict-transport-security"), path).toMatch(/^max-age=63072000/);
    }
    expect(page.headers.get("content-security-policy")).toContain("upgrade-insecure-requests");
  });

  it("a form from the http origin of the same host is rejected", async () => {
    const browser = openBrowser();
    const headers = { origin: "http://media.example" };
    const fields = { email: "ada@example.com", password };
    const page = await browser.submit(await browser.open("/sign-in"), "Sign in", fields, {
      headers,
    });
    expect([page.status, browser.session]).toEqual([403, undefined]);
  });
});

describe("closed sign-up", () => {
  it("has no form, and rejects one from elsewhere", async () => {
    const browser = openBrowser();
    // The form of another installation of the same version, where sign-up is open.
    const form = await new FormBrowser(inject("service").url).open("/sign-up");
    const email = "uninvited@example.com";
    const sent = await browser.submit(form, "Create account", { email, password });
    expect([sent.status, browser.session]).toEqual([200, undefined]);
    expect((await browser.signIn(email, password)).status).toBe(401);
    const page = await browser.open("/sign-up");
    expect(textOf(page)).toContain("Sign-up is closed");
    expect(page.html).not.toContain("<form");
    expect(textOf(await browser.open("/sign-in"))).not.toContain("Create one");
  });
});

describe("a forgotten password", () => {
  const requestLink = async (email: string) => {
    const browser = openBrowser();
    const page = await browser.submit(await browser.open("/forgot-password"), "Send reset link", {
      email,
    });
    return textOf(page).replaceAll(email, "");
  };
  const linkIn = (text: string) => /https:\S+(\/reset-password\?token=\S+)/.exec(text)?.[1] ?? "";

  it("is replaced with a link that works once, which ends every session", async () => {
    const signedIn = openBrowser();
    await signedIn.signIn("ada@example.com", password);
    const known = await requestLink("ada@example.com");
    const unknown = await requestLink("unknown@example.com");
    expect(known).toBe(unknown);
    expect(known).toContain("If there is an account with that address");
    await until(() => mail.mails.length > 0, 30_000);
    expect(mail.mails).toHaveLength(1);
    const [sentMail = ""] = mail.mails;
    expect(sentMail).toMatch(/^To: ada@example\.com$/m);
    const link = linkIn(mailText(sentMail));
    expect(mailText(sentMail)).toContain(`${publicUrl}${link}`);

    const browser = openBrowser();
    const form = await browser.open(link);
    // Mail programs open links on their own, which must not use up the link.
    expect(textOf(await openBrowser().open(link))).toContain("Set a new password");
    const chosen = { password: "green submarine 7" };
    const done = await browser.submit(form, "Set password", chosen);
    expect(done.path).toBe("/sign-in?notice=password-set&next=%2Fdashboard");
    const again = await browser.submit(form, "Set password", { password: "a third one 3" });
    expect(textOf(again)).toContain("This link is no longer valid");
    expect(textOf(await browser.open(link))).toContain("This link is no longer valid");
    expect((await signedIn.send("/dashboard/settings")).status).toBe(307);
    expect((await browser.signIn("ada@example.com", password)).status).toBe(401);
    expect((await browser.signIn("ada@example.com", chosen.password)).status).toBe(200);
  });

  it.each(["", "x", "a".repeat(43), "%00", "a&token=b"])(
    "is not replaced by the link %j",
    async (token) => {
      const page = await openBrowser().open(`/reset-password?token=${token}`);
      expect([page.status, textOf(page).includes("is no longer valid")]).toEqual([200, true]);
    },
  );

  it("can be requested three times at most, with or without an account", async () => {
    for (const email of [invitedEmail, "unknown-too@example.com"]) {
      const pages = [];
      for (let time = 0; time < 4; time++) pages.push(await requestLink(email));
      expect(pages.map((text) => text.includes("Too many attempts"))).toEqual([
        false,
        false,
        false,
        true,
      ]);
    }
  });
});

describe("a provider", () => {
  /** Starts the sign-in, and returns from GitHub as the user with this id. */
  async function signInWithGitHub(
    browser: FormBrowser,
    id: number,
    alter = (state: string) => state,
  ) {
    const redirected = await browser.submit(
      await browser.open("/sign-in?next=/dashboard/settings"),
      "GitHub",
      {},
    );
    const target = new URL(redirected.path);
    expect(target.href).toContain(`${gitHub.url}/login/oauth/authorize?`);
    expect(target.searchParams.get("redirect_uri")).toBe(`${publicUrl}/api/auth/callback/github`);
    const state = alter(target.searchParams.get("state") ?? "");
    return browser.open(`/api/auth/callback/github?code=code-${id}&state=${state}`);
  }

  it("signs in repeatedly to the account that the operator created for the email address", async () => {
    for (let time = 0; time < 2; time++) {
      const browser = openBrowser();
      const page = await signInWithGitHub(browser, 1);
      expect(page.path).toBe("/dashboard/settings");
      expect(textOf(page)).toContain(invitedEmail);
      expect(textOf(page)).toContain("This account has no password");
    }
  });

  it("asks an account without a password for a code from an email before a sensitive action", async () => {
    const browser = openBrowser();
    const settings = await signInWithGitHub(browser, 1);
    const age = () =>
      withServiceDatabase(
        (sql) => sql`update sessions set authenticated_at = now() - interval '1 hour'`,
        stack.dataDir,
      );
    await age();
    const fields = { current: invitedEmail, password: "green submarine 7" };
    const asked = await browser.submit(settings, "Set password", fields);
    expect(textOf(asked)).toContain("Confirm that it is you");
    const form = await browser.open("/reauthenticate?next=/dashboard/settings");
    await browser.submit(form, "Send a code", {});
    const isCode = (one: string) => one.includes("Subject: Your Mediamill code");
    await until(() => mail.mails.some(isCode), 30_000);
    const code = /^\d{6}$/m.exec(mailText(mail.mails.findLast(isCode) ?? ""))?.[0] ?? "";
    const wrong = code === "000000" ? "000001" : "000000";
    const rejected = await browser.submit(form, "Confirm", { current: wrong });
    expect(textOf(rejected)).toContain("This code is wrong");
    // The code is for this session only.
    const other = openBrowser();
    await signInWithGitHub(other, 1);
    const otherForm = await other.open("/reauthenticate?next=/dashboard");
    const stolen = await other.submit(otherForm, "Confirm", { current: code });
    expect(textOf(stolen)).toContain("This code is wrong");
    const confirmed = await browser.submit(form, "Confirm", { current: code });
    expect(confirmed.path).toBe("/dashboard/settings");
    await age();
    const again = await browser.submit(form, "Confirm", { current: code });
    expect(textOf(again)).toContain("This code is wrong");
  });

  it.each([
    [2, "Sign-up is closed"],
    [3, "There is an account with that email address"],
    [4, "Your account at the provider has no verified email address"],
    [9, "Sign-in failed"],
  ])(
    "rejects user %i, shows the reason and keeps the page that they wanted",
    async (id, message) => {
      const browser = openBrowser();
      const page = await signInWithGitHub(browser, id);
      expect(textOf(page)).toContain(message);
      expect(browser.session).toBeUndefined();
      expect(page.html).toContain('href="/forgot-password?next=%2Fdashboard%2Fsettings"');
    },
  );

  it("does not sign in a browser that did not start the sign-in", async () => {
    const browser = openBrowser();
    expect(textOf(await signInWithGitHub(browser, 1, () => "0"))).toContain("Sign-in failed");
    const other = openBrowser();
    await other.open("/api/auth/callback/github?code=code-1&state=0");
    expect([browser.session, other.session]).toEqual([undefined, undefined]);
  });

  it("that is not set up has no button and no endpoint", async () => {
    const browser = openBrowser();
    expect(textOf(await browser.open("/sign-in"))).not.toContain("Google");
    const providers = await (await browser.send("/api/auth/providers")).json();
    expect(Object.keys(providers as object)).toEqual(["credentials", "github"]);
  });
});
