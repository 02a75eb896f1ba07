import type { Page } from "@playwright/test";

/** Page states that have no URL. */

export async function openNavigation(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Open navigation" });
  // Wide pages show the navigation without a button.
  if (await button.isVisible()) await button.click();
}

export async function openNewKey(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByLabel("Name").fill("Build server");
}

export async function openNewConnection(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create connection" }).click();
  await page.getByLabel("Kind of store").selectOption("SFTP");
}

export async function createKey(page: Page): Promise<void> {
  await openNewKey(page);
  await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
  await page.getByTestId("api-key").waitFor();
}

export async function openOperations(page: Page): Promise<void> {
  await page.getByRole("button", { name: /^Operation:/ }).click();
  await page.getByRole("option").first().waitFor();
}

export async function runWithoutFile(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Run" }).click();
}

export async function runSample(page: Page): Promise<void> {
  await page.getByRole("button", { name: "photo.jpg" }).click();
  await page.getByRole("textbox", { name: /^text/ }).fill("© Mira Holm · 湖 2026");
  await page.getByRole("button", { name: "Run" }).click();
  await page.getByText("Completed", { exact: true }).first().waitFor();
}

export async function searchDocs(page: Page): Promise<void> {
  await page.getByRole("banner").getByRole("button", { name: "Search" }).click();
  await page.getByPlaceholder("Search docs…").fill("loudness");
  await page.getByRole("option").first().waitFor();
}

export async function signInWrong(page: Page): Promise<void> {
  await page.getByLabel("Email address").fill("mira@lakehouse.example");
  await page.getByLabel("Password", { exact: true }).fill("a wrong password");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("alert").filter({ hasText: /./ }).first().waitFor();
}

/** A form fails when it is rendered again, so that the error page appears. */
async function breakForms(page: Page): Promise<void> {
  await page.evaluate(() => {
    URLSearchParams.prototype.toString = () => {
      throw new Error("a form is rendered");
    };
  });
}

export async function breakSettings(page: Page): Promise<void> {
  await breakForms(page);
  await page.getByRole("button", { name: "Change password" }).click();
}

export async function breakDevice(page: Page): Promise<void> {
  await breakForms(page);
  await page.getByLabel("Code").fill("BCDF-GHJK");
  await page.getByRole("button", { name: "Continue" }).click();
}
