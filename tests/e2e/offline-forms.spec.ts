import { expect, expectAccessible, test } from "./support/fixtures.ts";

const unreachable = "The service could not be reached. Check the connection and try again.";

test("without a connection, a form of an account keeps its values and says why, and is sent later", async ({
  page,
  context,
  account,
}) => {
  await page.goto("/sign-in?next=/dashboard/settings");
  await page.getByLabel("Email address").fill(account.email);
  const password = page.getByLabel("Password", { exact: true });
  await password.fill(account.password);
  await context.setOffline(true);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alert").filter({ hasText: unreachable })).toBeFocused();
  await expect(page.getByLabel("Email address")).toHaveValue(account.email);
  await expect(password).toHaveValue(account.password);
  await expectAccessible(page);
  await context.setOffline(false);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");

  const alerts = page.getByRole("region", { name: "Usage alerts" });
  await alerts.getByRole("checkbox", { name: "90%" }).setChecked(true);
  await context.setOffline(true);
  await alerts.getByRole("button", { name: "Save alerts" }).click();
  await expect(alerts.getByRole("alert")).toContainText(unreachable);
  await expect(alerts.getByRole("checkbox", { name: "90%" })).toBeChecked();
  await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
  await expect(page.getByRole("status").filter({ hasText: unreachable })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Settings");
  await context.setOffline(false);
  await alerts.getByRole("button", { name: "Save alerts" }).click();
  await expect(alerts.getByRole("status")).toBeVisible();
});

test("without a connection, the actions of a job say so and work later", async ({
  signedIn: page,
  context,
  api,
}) => {
  const file = { bytes: "some text", filename: "notes.txt", contentType: "text/plain" };
  const job = await api.run("pipeline/file-inspect", file);
  await page.goto(`/dashboard/jobs/${job.id}`);
  const again = page.getByRole("button", { name: "Run again" });
  await context.setOffline(true);
  await again.click();
  await expect(page.getByText(unreachable)).toBeVisible();
  await context.setOffline(false);
  await again.click();
  await expect(page).not.toHaveURL(new RegExp(job.id));
});

test("without a connection, a page that refreshes itself stays", async ({
  signedIn: page,
  context,
}) => {
  await page.goto("/dashboard/requests");
  await context.setOffline(true);
  // A refresh is due.
  await page.waitForRequest("**/healthz");
  await page.waitForRequest("**/healthz");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Requests");
  await context.setOffline(false);
  await page.waitForRequest((request) => request.url().includes("/dashboard/requests?_rsc"));
});

test("a form is sent once, however often Enter is pressed until it has an answer", async ({
  signedIn: page,
  account,
}) => {
  await page.goto("/dashboard/settings");
  const { promise: mayContinue, resolve: letContinue } = Promise.withResolvers<void>();
  let sent = 0;
  await page.route("**/dashboard/settings", async (route) => {
    if (route.request().method() === "POST") {
      sent++;
      await mayContinue;
    }
    await route.continue();
  });
  const form = page.getByRole("region", { name: "Password" });
  await form.getByLabel("Current password", { exact: true }).fill(account.password);
  const field = form.getByLabel("New password", { exact: true });
  await field.fill("other words than before");
  await field.press("Enter");
  const button = form.getByRole("button", { name: "Change password" });
  await expect(button).toBeDisabled();
  await field.press("Enter");
  await button.press("Enter");
  letContinue();
  await expect(form.getByRole("status")).toBeVisible();
  await expect(button).toBeEnabled();
  await expect(form.getByRole("alert")).toHaveCount(0);
  expect(sent).toBe(1);
});
