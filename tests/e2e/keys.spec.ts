import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import postgres from "postgres";
import { findRunningDatabase } from "#lib/supervisor/database/running-database.ts";
import { createTestAccount, expect, expectAccessible, signIn, test } from "./support/fixtures.ts";

const runInShell = (line: string) => promisify(execFile)("sh", ["-c", line]);

/** Creates a key on the open keys page and returns it. */
async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Environment").selectOption("development");
  await dialog.getByLabel("Expires").selectOption("In 30 days");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await dialog.getByTestId("api-key").innerText();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
  return key;
}

test("a key is shown once, works, and is rejected as soon as it is revoked", async ({
  signedIn: page,
  service,
}) => {
  await page.goto("/dashboard/keys");
  await expectAccessible(page);
  const key = await createKey(page, "Build server");
  expect(key).toMatch(/^mm_test_[0-9A-Za-z]{36}$/);
  const readUsage = () => fetch(`${service.url}/v1/usage`, { headers: { "x-api-key": key } });
  expect((await readUsage()).status).toBe(200);

  await page.reload();
  const row = page.getByRole("row", { name: /Build server/ });
  await expect(row).toContainText("development");
  await expect(row).toContainText(`${key.slice(0, 12)}…${key.slice(-4)}`);
  await expect(row).toContainText(/\d{4}, \d{2}:\d{2} UTC/);
  await expect(page.getByText(key)).toHaveCount(0);
  expect(await page.content()).not.toContain(key);

  await row.getByRole("button", { name: "Revoke Build server" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Revoke key" }).click();
  await expect(page.getByText("“Build server” revoked")).toBeVisible();
  expect((await readUsage()).status).toBe(401);
  await expectAccessible(page);
  await page.getByText("Revoked and expired keys (1)").click();
  await expect(page.getByRole("row", { name: /Build server/ })).toContainText("Revoked");
});

for (const path of ["/dashboard/keys", "/dashboard/images"]) {
  test(`a key is shown if its dialog was closed while it was created: ${path}`, async ({
    signedIn: page,
  }) => {
    await page.goto(path);
    const { promise: mayContinue, resolve: letContinue } = Promise.withResolvers<void>();
    await page.route(`**${path}`, async (route) => {
      if (route.request().method() === "POST") await mayContinue;
      await route.continue();
    });
    await page.getByRole("button", { name: "Create key" }).click();
    const dialog = page.getByRole("dialog");
    if (path.endsWith("keys")) await dialog.getByLabel("Name").fill("Build server");
    await dialog.getByRole("button", { name: "Create key" }).click();
    await expect(dialog.getByRole("button", { name: "Creating…" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    letContinue();
    await expect(dialog).toContainText("shown only once");
    await expect(dialog.getByRole("button", { name: "Copy key" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog.getByRole("alert")).toContainText("Close anyway?");
  });
}

test("the command of a new key works", async ({ signedIn: page }) => {
  await page.goto("/dashboard/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shell");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("button", { name: "Copy code" }).click();
  // The dialog asks before it closes until it knows that the key was copied.
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  const { stdout } = await runInShell(command);
  expect(JSON.parse(stdout)).toMatchObject({ operation: "document/html-to-pdf" });
});

test("a key without a name is rejected", async ({ signedIn: page }) => {
  await page.goto("/dashboard/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("   ");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Enter a name");
});

test("keys of other accounts are not shown", async ({ signedIn: page, account, browser }) => {
  await page.goto("/dashboard/keys");
  await createKey(page, "Private key name");
  const otherContext = await browser.newContext();
  await signIn(otherContext, await createTestAccount());
  const otherPage = await otherContext.newPage();
  await otherPage.goto("/dashboard/keys");
  await expect(otherPage.getByRole("heading", { level: 1 })).toHaveText("API keys");
  await expect(otherPage.getByText("Private key name")).toHaveCount(0);
  await expect(otherPage.getByText(account.api.key.slice(-4))).toHaveCount(0);
  await otherContext.close();
});

test("Escape asks before a key that was not copied is lost", async ({ signedIn: page }) => {
  await page.goto("/dashboard/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shell");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = dialog.getByTestId("api-key");
  await expect(key).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("alert")).toContainText("You have not copied the key.");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("alert")).toBeHidden();
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.getByRole("button", { name: "Back to the key" }).click();
  await dialog.getByRole("button", { name: "Copy key" }).click();
  await expect(dialog.getByRole("button", { name: "Copied" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
});

test("creating a key long after the sign-in asks for the password first", async ({
  signedIn: page,
  account,
  service,
}) => {
  const sql = postgres((await findRunningDatabase(service.dataDir)) ?? "", { max: 1 });
  const at = sql`now() - interval '16 minutes'`;
  await sql`update sessions set authenticated_at = ${at} where account_id = ${account.id}`;
  await sql.end();
  await page.goto("/dashboard/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const form = page.getByRole("dialog", { name: "Create API key" });
  await form.getByLabel("Name").fill("Late key");
  await page.keyboard.press("Enter");
  const question = page.getByRole("dialog", { name: "Confirm that it is you" });
  await expect(question.getByLabel("Your password")).toBeFocused();
  await expectAccessible(page);
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  await expect(question.getByRole("alert")).toContainText("That is not your current password.");
  await question.getByLabel("Your password").fill(account.password);
  await page.keyboard.press("Enter");
  await expect(question).toBeHidden();
  await expect(page.getByTestId("api-key")).toBeVisible();
});

test("a key of images signs a URL that shows the picture, until it is deleted", async ({
  signedIn: page,
  host,
}) => {
  await writeFile(
    join(host.folder, "signed.jpg"),
    await readFile("public/samples/inputs/photo.jpg"),
  );
  await page.goto("/dashboard/images");
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByText("Copy the key and the salt now.")).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Copy key" }).click();
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("alert")).toContainText(
    "You have not copied the key and the salt.",
  );
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  const copySalt = dialog.getByRole("button", { name: "Copy salt" });
  await copySalt.click();
  // It says "Copied" for a short time, as the other one may still do.
  await expect(copySalt).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.getByLabel("Source").fill(`${host.url}/signed.jpg`);
  await page.getByLabel("Width").fill("120");
  await page.getByRole("button", { name: "Show picture" }).click();
  const picture = page.getByRole("img", { name: "The result" });
  await expect(picture).toHaveJSProperty("naturalWidth", 120);
  const url = (await picture.getAttribute("src")) ?? "";
  await page.getByRole("button", { name: /^Delete ik_/ }).click();
  await page.getByRole("button", { name: "Delete key" }).click();
  await expect(page.getByText("No keys yet")).toBeVisible();
  // The row goes before the server has answered, and other processes hear of it a short time later.
  await expect(page.getByText("Key deleted")).toBeVisible();
  await expect.poll(async () => (await fetch(url)).status).toBe(404);
});

test("a purge that is rejected says why", async ({ signedIn: page }) => {
  await page.goto("/dashboard/images");
  const field = page.getByLabel("URL", { exact: true });
  const purge = async (url: string) => {
    await field.fill(url);
    await page.getByRole("button", { name: "Purge" }).click();
  };
  await purge(`https://example.com/${"\u{4e00}".repeat(1000)}`);
  await expect(field).toHaveAccessibleDescription(/source must be text of at most 2500 bytes/);
  await purge("https://example.com/photo.jpg");
  await expect(page.getByText("Pictures removed from the cache")).toBeVisible();
  await expect(field).toHaveAccessibleDescription("");
});
