import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MailServer, mailText, startMailServer } from "#tests/servers/mail.ts";
import { insertAccount, insertKey } from "#tests/service/accounts.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { FormBrowser, textOf } from "#tests/service/http/form-browser.ts";
import { runAdmin } from "#tests/service/run-admin.ts";
import { type Stack, startSmallStack, until } from "#tests/service/stack.ts";
import { expectError } from "#tests/support/expect-error.ts";

/** A service with email and open sign-up, behind one proxy. */
const password = "purple lighthouse 9";
let mail: MailServer;
let stack: Stack;

beforeAll(async () => {
  mail = await startMailServer();
  const from = { SMTP_URL: mail.url, SMTP_FROM: "Mediamill <mill@media.example>" };
  stack = await startSmallStack({ ...from, TRUST_PROXY: "1" });
});

afterAll(async () => {
  await stack?.stop();
  mail?.close();
});

/** A browser with its own IP address. */
function openBrowser(): FormBrowser {
  const headers = { "x-forwarded-for": `20.${[...randomBytes(3)].join(".")}` };
  return new FormBrowser(stack.url, { headers });
}

const newEmail = () => `person-${randomBytes(4).toString("hex")}@example.com`;

async function signUp(email: string, chosen = password, browser = openBrowser(), query = "") {
  const form = await browser.open(`/sign-up${query}`);
  const page = await browser.submit(form, "Create account", { email, password: chosen });
  expect(browser.session).toBeUndefined();
  return [page.status, page.path, textOf(page)];
}

/** The next email to `email` with this subject, after the `seen` first ones. */
async function mailTo(email: string, subject: string): Promise<string> {
  const find = () =>
    mail.mails.findLast((one) => one.includes(`To: ${email}`) && one.includes(subject));
  await until(() => find() !== undefined, 30_000);
  return mailText(find() ?? "");
}

const linkIn = (text: string) => /http:\S+(\/confirm-email\?token=\S+)/.exec(text)?.[1] ?? "";

async function openSession(email: string, chosen = password): Promise<FormBrowser> {
  const browser = openBrowser();
  expect((await browser.signIn(email, chosen)).status).toBe(200);
  return browser;
}

describe("signing up where email is sent", () => {
  it("shows the same page for a new and a known address, and sends each a different email", async () => {
    const fresh = newEmail();
    const known = newEmail();
    await insertAccount({ email: known, password }, stack.dataDir);
    const page = await signUp(fresh);
    expect(page).toEqual(await signUp(known, "green submarine 7"));
    expect(page[2]).toContain("We have sent you an email.");
    expect(await mailTo(known, "You already have")).toContain("/forgot-password");
    expect(linkIn(await mailTo(fresh, "Confirm your email"))).not.toBe("");
    // Nothing of the known account has changed.
    await openSession(known);
  });

  it("gives neither keys nor jobs before the address is confirmed", async () => {
    const email = newEmail();
    await signUp(email);
    const browser = await openSession(email);
    const page = await browser.open("/dashboard/settings");
    expect(textOf(page)).toContain("Confirm your address.");
    const created = await runAdmin(stack.dataDir, "key", "create", "--email", email);
    const client = new ApiClient(stack.url, created.api_key ?? "");
    const run = () => client.postJson("/v1/pipeline/file-inspect", { input: "https://a.test/x" });
    const rejected = await run();
    expect(await rejected.clone().json()).toEqual({
      error: expect.stringMatching(/^Confirm your email address first/),
    });
    await expectError(rejected, "forbidden");
    const body = JSON.stringify({ input: "https://a.test/x" });
    const headers = { "content-type": "application/json" };
    const played = await browser.send("/dashboard/api/run/pipeline/file-inspect", {
      method: "POST",
      headers,
      body,
    });
    expect(played.status).toBe(403);

    const sentBefore = mail.mails.length;
    expect(textOf(await browser.submit(page, "Send again", {}))).toContain(
      "We have sent an email again",
    );
    await until(() => mail.mails.length > sentBefore, 30_000);
    const link = linkIn(await mailTo(email, "Confirm your email"));
    // Mail programs open links on their own, without a session.
    expect(textOf(await openBrowser().open(link))).toContain("Confirm your email address");
    expect((await run()).status).toBe(403);
    const form = await browser.open(link);
    const done = await browser.submit(form, "Confirm email address", {});
    expect(done.path).toBe("/dashboard");
    expect(textOf(done)).not.toContain("Confirm your address.");
    expect((await run()).status).toBe(202);
    expect(textOf(await browser.open(link))).toContain("is confirmed");
  });

  it("is confirmed in another browser only with the account's password", async () => {
    const email = newEmail();
    await signUp(email);
    const link = linkIn(await mailTo(email, "Confirm your email"));
    const browser = openBrowser();
    const form = await browser.open(link);
    const submit = (chosen: string) =>
      browser.submit(form, "Confirm email address", { password: chosen });
    expect(textOf(await submit("wrong password"))).toContain("password is incorrect");
    expect((await submit(password)).path).toBe("/dashboard");
    expect(textOf(await browser.open("/dashboard/settings"))).not.toContain("Confirm your address");
  });

  it("leads to the page that the visitor wanted, in the browser that signed up", async () => {
    const email = newEmail();
    const browser = openBrowser();
    const next = "?next=%2Fdashboard%2Fplayground%3Foperation%3Dimage%2Fcrop";
    const sent = await signUp(email, password, browser, next);
    expect(sent[1]).toBe(`/sign-up?notice=mail-sent&${next.slice(1)}`);
    // Anyone can have an email sent to any address, so it has no text of theirs.
    const text = await mailTo(email, "Confirm your email");
    expect(text).not.toContain("playground");
    const form = await browser.open(linkIn(text));
    const done = await browser.submit(form, "Confirm email address", { password });
    expect(done.path).toBe("/dashboard/playground?operation=image/crop");
  });

  it.each([
    ["keeps it", "", "/dashboard/usage"],
    ["replaces it", "?next=%2Fdashboard%2Fkeys", "/dashboard/keys"],
    ["forgets it for a long one", `?next=%2Fdashboard%3Fa%3D${"b".repeat(2000)}`, "/dashboard"],
  ])("leads there also after the form for a new password, which %s", async (_, query, path) => {
    const email = newEmail();
    const browser = openBrowser();
    await signUp(email, password, browser, "?next=%2Fdashboard%2Fusage");
    const form = await browser.open(linkIn(await mailTo(email, "Confirm your email")));
    const forgotten = await browser.open(`/forgot-password${query}`);
    await browser.submit(forgotten, "Send reset link", { email });
    const done = await browser.submit(form, "Confirm email address", { password });
    expect(done.path).toBe(path);
  });

  it.each(["", "x", "acc_1.9999999999999.00"])("accepts no link %j", async (token) => {
    const page = await openBrowser().open(`/confirm-email?token=${token}`);
    expect(textOf(page)).toContain("is no longer valid");
  });

  it("allows five accounts from one network at once", async () => {
    const headers = { "x-forwarded-for": "20.1.2.3" };
    const pages: string[] = [];
    for (let count = 0; count < 6; count++) {
      const browser = new FormBrowser(stack.url, { headers });
      pages.push(String((await signUp(newEmail(), password, browser))[2]));
    }
    expect(pages.filter((text) => text.includes("We have sent you an email."))).toHaveLength(5);
    expect(pages[5]).toContain("has created too many accounts. Try again in 10 minutes.");
  });

  it("sends an address at most three emails", async () => {
    const email = newEmail();
    for (let time = 0; time < 5; time++) await signUp(email);
    await mailTo(email, "Confirm your email");
    const other = newEmail();
    await signUp(other);
    await mailTo(other, "Confirm your email");
    const sent = mail.mails.filter((one) => one.includes(`To: ${email}`));
    expect(sent.length).toBeLessThanOrEqual(3);
  });
});

describe("a new password", () => {
  /** An account with two keys. */
  async function createOwner() {
    const email = newEmail();
    const { id, key } = await insertAccount({ email, password }, stack.dataDir);
    await insertKey(id, "Build server", stack.dataDir);
    return { email, client: new ApiClient(stack.url, key) };
  }

  it("that is set with a link from an email ends sessions, keys and keys on their way, and confirms the address", async () => {
    const { email, client } = await createOwner();
    const owner = await openSession(email);
    const device = await client.postJson("/v1/device/codes", { name: "a laptop" });
    const codes = (await device.json()) as { device_code: string; user_code: string };
    const shown = await owner.open(`/device?code=${codes.user_code}`);
    await owner.submit(shown, "Approve", {});

    const browser = openBrowser();
    const forgotten = await browser.open("/forgot-password?next=%2Fdashboard%2Fusage");
    await browser.submit(forgotten, "Send reset link", { email });
    const link = /http:\S+(\/reset-password\?token=\S+)/.exec(
      await mailTo(email, "Choose a new password"),
    )?.[1];
    const form = await browser.open(link ?? "");
    const chosen = "green submarine 7";
    const done = await browser.submit(form, "Set password", { password: chosen });
    expect(done.path).toBe("/sign-in?notice=password-set&next=%2Fdashboard%2Fusage");
    await expectError(await client.request("/v1/usage"), "unauthorized");
    const redeemed = await client.postJson("/v1/device/token", { device_code: codes.device_code });
    await expectError(redeemed, "gone");
    expect((await owner.send("/dashboard/settings")).status).toBe(307);
    const report = await mailTo(email, "password was changed");
    expect(report).toContain("These API keys were revoked");
    expect(report).toMatch(/- First key \(mm_live_\w{4}…\)/);
    expect(report).toMatch(/- Build server \(mm_live_\w{4}…\)/);
    await openSession(email, chosen);
  });

  it.each([false, true])("of its owner revokes the keys only if asked to: %s", async (revoke) => {
    const { email, client } = await createOwner();
    const browser = await openSession(email);
    const settings = await browser.open("/dashboard/settings");
    expect(textOf(settings)).toContain("Also revoke my 2 API keys");
    expect(textOf(settings)).toContain("Build server, First key");
    const fields = { current: password, password: "green submarine 7" };
    const page = await browser.submit(settings, "Change password", {
      ...fields,
      ...(revoke ? { revokeKeys: "on" } : {}),
    });
    expect(textOf(page)).toContain("Your password is changed.");
    expect((await client.request("/v1/usage")).status).toBe(revoke ? 401 : 200);
    const report = await mailTo(email, "password was changed");
    expect(report).toContain(revoke ? "were revoked" : "still work");
    expect(report).toContain("- Build server (mm_live_");
  });
});
