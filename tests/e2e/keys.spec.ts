import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { Page } from "@playwright/test";
import { createTestAccount, expect, expectAccessible, signIn, test } from "./support/fixtures.ts";

const runInShell = (line: string) => promisify(execFile)("sh", ["-c", line]);

/** Makes a key on the keys page, which is open, and answers it. */
async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("Environment").selectOption("development");
  await dialog.getByLabel("Expires").selectOption("In 30 days");
  await dialog.getByRole("button", { name: "Create key" }).click();
  const key = await dialog.getByTestId("api-key").innerText();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "I have copied it" }).click();
  await expect(dialog).toBeHidden();
  return key;
}

test("a key is shown once, opens the API, and is refused as soon as it is revoked", async ({
  signedIn: page,
  service,
}) => {
  await page.goto("/dashboard/keys");
  await expectAccessible(page);
  const key = await createKey(page, "Build server");
  expect(key).toMatch(/^mm_live_[0-9A-Za-z]{36}$/);
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
  await page.getByRole("button", { name: "Revoke the key" }).click();
  await expect(page.getByText("“Build server” is revoked.")).toBeVisible();
  expect((await readUsage()).status).toBe(401);
  await expectAccessible(page);
  await page.getByText("Revoked and expired keys (1)").click();
  await expect(page.getByRole("row", { name: /Build server/ })).toContainText("Revoked");
});

test("the request that comes with a key works when it is pasted", async ({ signedIn: page }) => {
  await page.goto("/dashboard/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Shell");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await dialog.getByRole("button", { name: "Copy the code" }).click();
  const request = await page.evaluate(() => navigator.clipboard.readText());
  const { stdout } = await runInShell(request);
  expect(JSON.parse(stdout)).toMatchObject({ operation: "document/html-to-pdf" });
});

test("a key without a name is not made", async ({ signedIn: page }) => {
  await page.goto("/dashboard/keys");
  await page.getByRole("button", { name: "Create key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("   ");
  await dialog.getByRole("button", { name: "Create key" }).click();
  await expect(dialog.getByRole("alert")).toContainText("Give the key a name");
});

test("keys of another account are neither shown nor revoked", async ({
  signedIn: page,
  account,
  browser,
}) => {
  await page.goto("/dashboard/keys");
  await createKey(page, "Theirs alone");
  const stranger = await browser.newContext();
  await signIn(stranger, await createTestAccount());
  const theirPage = await stranger.newPage();
  await theirPage.goto("/dashboard/keys");
  await expect(theirPage.getByRole("heading", { level: 1 })).toHaveText("API keys");
  await expect(theirPage.getByText("Theirs alone")).toHaveCount(0);
  await expect(theirPage.getByText(account.api.key.slice(-4))).toHaveCount(0);
  await stranger.close();
});
