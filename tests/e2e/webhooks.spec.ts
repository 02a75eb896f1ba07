import { Webhook } from "standardwebhooks";
import type { ReceivedHook } from "#tests/servers/webhook-receiver.ts";
import { createTestAccount, expect, expectAccessible, signIn, test } from "./support/fixtures.ts";
import { openReceiver } from "./support/receiver.ts";

const text = { bytes: "some text", filename: "notes.txt", contentType: "text/plain" };

/** Whether `secret` made one of the signatures. */
function isSignedWith(secret: string, { headers, body }: ReceivedHook): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

test("after a rotation both secrets verify, and the page says until when", async ({
  signedIn: page,
}) => {
  const receiver = openReceiver();
  await page.goto("/dashboard/webhooks");
  await expectAccessible(page);
  const shown = page.getByTestId("secret");
  await expect(shown).not.toContainText(/whsec_\w/);
  await page.getByRole("button", { name: "Reveal the secret" }).click();
  await expect(shown).toContainText(/^whsec_\S{40,}/);
  const former = await shown.innerText();

  await page.getByRole("button", { name: "Rotate" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Rotate the secret" }).click();
  await expect(shown).not.toHaveText(former);
  const present = await shown.innerText();
  await expect(page.getByText(/previous secret also signs until/)).toBeVisible();

  await page.getByLabel("Address").fill(receiver.url);
  await page.getByRole("button", { name: "Send a test" }).click();
  const [hook] = await receiver.waitFor(1);
  if (!hook) throw new Error("nothing was received");
  expect([former, present].map((secret) => isSignedWith(secret, hook))).toEqual([true, true]);
  expect(JSON.parse(hook.body)).toMatchObject({ type: "test" });

  const row = page.getByRole("table").getByRole("row").nth(1);
  await expect(row).toContainText("Delivered");
  await row.getByRole("link", { name: "test" }).click();
  const request = page.getByRole("region", { name: "Request 1" });
  await expect(request).toContainText(hook.headers["webhook-signature"] ?? "");
  await expect(request).toContainText('"type": "test"');
  await expectAccessible(page);
});

test("a delivery that was refused is sent again, under its id, with both attempts shown", async ({
  signedIn: page,
  api,
}) => {
  const receiver = openReceiver([410, 200], "moved away");
  const job = await api.run("pipeline/file-inspect", text, { webhook_url: receiver.url });
  await receiver.waitFor(1);
  await page.goto(`/dashboard/webhooks?job=${job.id}&outcome=failed`);
  await page.getByRole("link", { name: "job.completed" }).click();
  await expect(page.getByRole("region", { name: "Response 1" })).toContainText("moved away");
  await page.getByRole("button", { name: "Send again" }).click();
  const hooks = await receiver.waitFor(2);
  await expect(page.getByText("Delivered", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Attempt 2" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Attempt 1" })).toBeVisible();
  expect(new Set(hooks.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

test("deliveries are filtered by job and by outcome, and paged", async ({
  signedIn: page,
  api,
}) => {
  const receiver = openReceiver([200]);
  const job = await api.run("pipeline/file-inspect", text, { webhook_url: receiver.url });
  const sent = 21;
  for (let index = 0; index < sent; index++) {
    await api.postJson("/v1/webhooks/test", { url: receiver.url });
  }
  await receiver.waitFor(sent + 1);
  await page.goto("/dashboard/webhooks");
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(1 + 20);
  await page.getByRole("link", { name: "Older" }).click();
  await expect(rows).toHaveCount(1 + 2);
  await expect(rows.last()).toContainText("job.completed");
  await page.getByLabel("Job id").fill(job.id);
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(rows).toHaveCount(1 + 1);
  await page.getByLabel("Outcome").selectOption("Given up");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByText("No deliveries match")).toBeVisible();
  await expectAccessible(page);
});

test("an address that may not be reached is refused in one sentence", async ({
  signedIn: page,
}) => {
  await page.goto("/dashboard/webhooks");
  await page.getByLabel("Address").fill("ftp://example.com/");
  await page.getByRole("button", { name: "Send a test" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "http" })).toBeVisible();
});

test("another account's delivery does not exist", async ({ signedIn: page, browser, api }) => {
  const receiver = openReceiver([200], "for the owner alone");
  const job = await api.run("pipeline/file-inspect", text, { webhook_url: receiver.url });
  await receiver.waitFor(1);
  await page.goto("/dashboard/webhooks");
  await page.getByRole("link", { name: "job.completed" }).click();
  await expect(page.getByText("for the owner alone")).toBeVisible();
  const stranger = await browser.newContext();
  await signIn(stranger, await createTestAccount());
  const theirPage = await stranger.newPage();
  await theirPage.goto(page.url());
  await expect(theirPage.getByText("There is nothing here")).toBeVisible();
  await theirPage.goto(`/dashboard/webhooks?job=${job.id}`);
  await expect(theirPage.getByText("No deliveries match")).toBeVisible();
  await stranger.close();
});
