import { beforeEach, describe, expect, inject, it } from "vitest";
import { insertPerson } from "#tests/service/accounts.ts";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { Client } from "#tests/service/http/client.ts";
import { FormBrowser, textOf } from "#tests/service/http/form-browser.ts";

/** Sensitive actions in a browser without JavaScript. */

const { url } = inject("service");
const password = "purple lighthouse 9";
const question = "Confirm that it is you";
let email: string;
let browser: FormBrowser;

beforeEach(async () => {
  email = await insertPerson(password);
  browser = new FormBrowser(url);
  expect((await browser.signIn(email, password)).status).toBe(200);
});

/** Lets the account's sessions begin 16 minutes ago. */
function age() {
  return withServiceDatabase(
    (sql) => sql`
      update sessions set authenticated_at = now() - interval '16 minutes'
      where account_id = (select id from accounts where email = ${email})`,
  );
}

async function startDevice() {
  const response = await new Client().postJson("/v1/device/codes", { name: "a laptop" });
  const codes = (await response.json()) as { device_code: string; user_code: string };
  return { path: `/device?code=${codes.user_code}`, deviceCode: codes.device_code };
}

/** Confirms at the page that the message in `page` leads to. */
async function confirm(page: { readonly html: string }, current: string) {
  const href = /href="(\/reauthenticate\?next=[^"]+)"/.exec(page.html)?.[1] ?? "";
  const form = await browser.open(href.replaceAll("&amp;", "&"));
  return browser.submit(form, "Confirm", { current });
}

describe("approving a device", () => {
  it("does not ask again within 15 minutes of the sign-in", async () => {
    const { path } = await startDevice();
    const page = await browser.submit(await browser.open(path), "Approve", {});
    expect(page.path).toBe("/device?done=approved");
  });

  it("asks for the password afterwards, then not again", async () => {
    const { path, deviceCode } = await startDevice();
    await age();
    const form = await browser.open(path);
    const asked = await browser.submit(form, "Approve", {});
    expect(textOf(asked)).toContain(question);
    const pending = await new Client().postJson("/v1/device/token", { device_code: deviceCode });
    expect(pending.status).toBe(202);

    const wrong = await confirm(asked, "wrong");
    expect(textOf(wrong)).toContain("That is not your current password.");
    expect(textOf(await browser.submit(form, "Approve", {}))).toContain(question);
    const right = await confirm(asked, password);
    expect(right.path).toBe(path);
    const done = await browser.submit(right, "Approve", {});
    expect(done.path).toBe("/device?done=approved");
  });

  it("refusing it asks for nothing", async () => {
    const { path } = await startDevice();
    await age();
    const page = await browser.submit(await browser.open(path), "Refuse", {});
    expect(page.path).toBe("/device?done=refused");
  });
});

describe("an operator", () => {
  it("is asked before each act on another account, however recent the sign-in is", async () => {
    const other = await insertPerson(password);
    const [account] = await withServiceDatabase(async (sql) => {
      await sql`update accounts set role = 'operator' where email = ${email}`;
      return sql`select id from accounts where email = ${other}`;
    });
    const planOf = async () => {
      const [row] = await withServiceDatabase(
        (sql) => sql`select plan from accounts where email = ${other}`,
      );
      return row?.plan;
    };
    const page = await browser.open(`/dashboard/operator/accounts/${account?.id}`);
    const asked = await browser.submit(page, "Change plan", { plan: "business" });
    expect(textOf(asked)).toContain(question);
    expect(await planOf()).toBe("free");
    expect((await confirm(asked, password)).path).toBe(page.path);
    const done = await browser.submit(page, "Change plan", { plan: "business" });
    expect(textOf(done)).toContain("The plan is now business.");
    expect(await planOf()).toBe("business");
    const next = await browser.submit(page, "Change plan", { plan: "pro" });
    expect(textOf(next)).toContain(question);
    expect(await planOf()).toBe("business");
  });

  it("sees the details of /readyz, which other users do not", async () => {
    const read = async () => (await browser.send("/readyz")).json();
    expect(await read()).toEqual({ status: "ready" });
    await withServiceDatabase(
      (sql) => sql`update accounts set role = 'operator' where email = ${email}`,
    );
    expect(await read()).toMatchObject({ status: "ready", database: "ok", sandbox: "full" });
  });
});
