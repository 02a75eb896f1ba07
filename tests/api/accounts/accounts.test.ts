import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { describe, expect, inject, it } from "vitest";
import { insertAccount, insertPerson } from "#tests/service/accounts.ts";
import { admin, Client } from "#tests/service/http/client.ts";
import { FormBrowser, textOf } from "#tests/service/http/form-browser.ts";
import { until } from "#tests/service/stack.ts";
import { expectError } from "#tests/support/expect-error.ts";
import { listBelow } from "#tests/support/list-below.ts";

const { url, dataDir } = inject("service");
const password = "purple lighthouse 9";
const newEmail = () => `new-${randomBytes(5).toString("hex")}@example.com`;

describe("signing up", () => {
  it("creates an account on the Free plan and signs in", async () => {
    const browser = new FormBrowser(url);
    const email = newEmail();
    const form = await browser.open("/sign-up?next=/dashboard/settings");
    const page = await browser.submit(form, "Create account", { email, password });
    expect(page.path).toBe("/dashboard/settings");
    expect(textOf(page)).toContain(email);
    const accounts = Object.values(await admin("account", "list")) as unknown as {
      email: string;
      plan: string;
    }[];
    expect(accounts.find((one) => one.email === email)?.plan).toBe("free");
    expect((await browser.open("/sign-up")).path).toBe("/dashboard");
  });

  it("with an email address that has an account creates no session and does not change the account", async () => {
    const email = await insertPerson(password);
    const browser = new FormBrowser(url);
    const page = await browser.submit(await browser.open("/sign-up"), "Create account", {
      email: email.toUpperCase(),
      password: "green submarine 7",
    });
    expect(textOf(page)).toContain("This email address cannot be used for a new account.");
    expect(browser.session).toBeUndefined();
    expect((await browser.signIn(email, password)).status).toBe(200);
  });

  it.each([
    ["a short password", { password: "short77" }, "A password needs at least 8 characters."],
    ["a common password", { password: "Password123" }, "one of the most common ones"],
    ["an invalid email address", { email: "invalid" }, "Enter an email address"],
    ["empty fields", { email: "", password: "" }, "Enter an email address"],
    ["a plan field", { email: "invalid", plan: "enterprise" }, "Enter an email address"],
  ])("with %s shows the error next to the field", async (_name, fields, message) => {
    const browser = new FormBrowser(url);
    const given = { email: newEmail(), password, ...fields };
    const page = await browser.submit(await browser.open("/sign-up"), "Create account", given);
    expect(textOf(page)).toContain(message);
    expect(page.html).toMatch(/aria-invalid="true"/);
    expect(browser.session).toBeUndefined();
  });
});

describe("deleting an account", () => {
  it("requires the password, ends every session, revokes every key and deletes the files", async () => {
    const { email, key } = await insertAccount({ password });
    const client = new Client(key);
    const file = { bytes: "<h1>Mine</h1>", filename: "mine.html" };
    const job = await client.run("pipeline/file-inspect", file);
    const [output = { url: "" }] = job.outputs;
    expect((await fetch(output.url)).status).toBe(200);
    const browser = new FormBrowser(url);
    const elsewhere = new FormBrowser(url);
    await browser.signIn(email, password);
    await elsewhere.signIn(email, password);

    const form = await browser.open("/dashboard/settings");
    const submit = (current: string) =>
      browser.submit(form, "Delete account and files", { current });
    expect(textOf(await submit("wrong"))).toContain("That is not your current password.");
    expect((await client.request("/v1/usage")).status).toBe(200);
    const page = await submit(password);
    expect(page.path).toBe("/sign-in?notice=deleted");
    expect(textOf(page)).toContain("Your account and its files have been deleted.");

    await expectError(await client.request("/v1/usage"), "unauthorized");
    expect((await elsewhere.send("/dashboard/settings")).status).toBe(307);
    expect((await elsewhere.signIn(email, password)).status).toBe(401);
    const stored = async () =>
      (await listBelow(join(dataDir, "storage"))).filter(({ path }) => path.includes(job.id));
    await until(async () => (await stored()).length === 0, 30_000);
    expect((await fetch(output.url)).status).toBe(410);
    expect((await admin("account", "create", "--email", email)).email).toBe(email);
  });
});
