import { randomBytes } from "node:crypto";
import { expect, expectAccessible, signIn, test } from "./support/fixtures.ts";

const newEmail = () => `e2e-${randomBytes(5).toString("hex")}@example.com`;
const password = "purple lighthouse 9";

test("a user signs up, changes the password, signs out and signs in again", async ({ page }) => {
  const email = newEmail();
  await page.goto("/dashboard/settings");
  await expect(page).toHaveURL("/sign-in?next=%2Fdashboard%2Fsettings");
  await page.getByRole("link", { name: "Create one" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Create an account");
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("password");
  await page.getByRole("button", { name: "Create account" }).click();
  const field = page.getByLabel("Password", { exact: true });
  await expect(field).toHaveAccessibleDescription(/one of the most common ones/);
  await expect(field).toBeFocused();
  await expect(page.getByLabel("Email address")).toHaveValue(email);
  await field.fill(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");

  const section = page.getByRole("region", { name: "Password" });
  await section.getByLabel("Current password").fill(password);
  await section.getByLabel("New password").fill("green submarine 7");
  await section.getByRole("button", { name: "Change password" }).click();
  await expect(section.getByRole("status")).toContainText("Your password is changed.");
  await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
  await expect(page).toHaveURL("/sign-in");

  await page.getByLabel("Email address").fill(email);
  await field.fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "is incorrect" })).toBeFocused();
  await field.fill("green submarine 7");
  await page.getByRole("button", { name: "Show password" }).click();
  await expect(field).toHaveAttribute("type", "text");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL("/dashboard");
});

test("a visitor who tries an operation keeps it through sign-up and sign-in", async ({
  page,
  context,
  account,
}) => {
  await page.goto("/docs/image/crop");
  await page.getByRole("link", { name: "Try it" }).click();
  await expect(page).toHaveURL(/^[^?]*\/sign-up\?next=/);
  await expect(page.getByRole("main")).toContainText("to run “Crop image” on your own file");
  await page.getByLabel("Email address").fill(newEmail());
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/dashboard/playground?operation=image/crop");
  await expect(page.getByRole("button", { name: "image/crop" })).toBeVisible();

  await context.clearCookies();
  await page.goto("/");
  await page.getByRole("link", { name: "Change all parameters in the playground" }).click();
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(
    /\/sign-in\?next=%2Fdashboard%2Fplayground%3Foperation%3Dimage%2Fwatermark-text%26operations%3D/,
  );
  await expect(page.getByRole("main")).toContainText("to run “Text watermark” on your own file");
  await page.getByLabel("Email address").fill(account.email);
  await page.getByLabel("Password", { exact: true }).fill(account.password);
  await page.keyboard.press("Enter");
  // With the text of the preset.
  await expect(page).toHaveURL(/\/dashboard\/playground\?operation=image\/watermark-text/);
  await expect(page.getByRole("textbox", { name: "text" })).not.toHaveValue("");
});

test("the header offers sign-in and sign-up to visitors, and the dashboard to users", async ({
  page,
  context,
  account,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/docs");
  const header = page.getByRole("banner");
  await expect(header.getByRole("link", { name: "Dashboard" })).toHaveCount(0);
  await expect(header.getByRole("link", { name: "Sign in" })).toBeVisible();
  const right = await header
    .getByRole("link", { name: "Sign up" })
    .evaluate((link) => link.getBoundingClientRect().right);
  // Room for a scroll bar that takes space.
  expect(right).toBeLessThanOrEqual(305);
  await signIn(context, account);
  await page.goto("/docs");
  await expect(header.getByRole("link", { name: "Sign" })).toHaveCount(0);
  await header.getByRole("link", { name: "Dashboard" }).click();
  await expect(page).toHaveURL("/dashboard");
});

test("pages of users do not show the operator's commands", async ({ signedIn: page }) => {
  for (const path of ["/dashboard/settings", "/forgot-password"]) {
    await page.goto(path);
    await expect(page.getByRole("main")).toContainText("Ask the operator");
    await expect(page.getByText("npm run")).toHaveCount(0);
  }
});

test("a deleted account's keys stop working", async ({ signedIn, account }) => {
  await signedIn.goto("/dashboard/settings");
  await signedIn.getByText("Delete my account…").click();
  const section = signedIn.getByRole("region", { name: "Delete account" });
  await section.getByLabel("Current password").fill(account.password);
  await section.getByRole("button", { name: "Delete account and files" }).click();
  await expect(signedIn.getByRole("status")).toContainText("have been deleted");
  expect((await account.api.request("/v1/usage")).status).toBe(401);
});

for (const scheme of ["light", "dark"] as const) {
  test(`the sign-in, sign-up and password pages are accessible, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    for (const path of ["/sign-in?error=AccountExists", "/sign-up", "/forgot-password"]) {
      await page.goto(path);
      await expectAccessible(page);
    }
    await page.goto("/reset-password?token=none");
    await expectAccessible(page);
  });

  test(`the settings page is accessible, ${scheme}, and fits a narrow screen`, async ({
    signedIn,
  }) => {
    await signedIn.emulateMedia({ colorScheme: scheme });
    await signedIn.setViewportSize({ width: 360, height: 800 });
    await signedIn.goto("/dashboard/settings");
    await signedIn.getByText("Delete my account…").click();
    await expectAccessible(signedIn);
    const overflow = await signedIn.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflow).toBeLessThanOrEqual(0);
  });
}

test("a device that was approved has a key, which the user learns who refuses it later", async ({
  signedIn: page,
  context,
  api,
}) => {
  const created = await api.postJson("/v1/device/codes", { name: "a laptop" });
  const { user_code } = (await created.json()) as { user_code: string };
  const other = await context.newPage();
  await other.goto(`/device?code=${user_code}`);
  await page.goto(`/device?code=${user_code}`);
  await page.getByRole("button", { name: "Approve" }).click();
  await expect(page.getByRole("status")).toContainText("is connected");
  await other.getByRole("button", { name: "Refuse" }).click();
  await expect(other.getByText("revoke it under API keys")).toBeVisible();
});
