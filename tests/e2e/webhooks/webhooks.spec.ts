import { Webhook } from "standardwebhooks";
import type { ReceivedWebhook } from "#tests/servers/webhook-receiver.ts";
import { createTestAccount, expect, expectAccessible, signIn, test } from "../support/fixtures.ts";
import { openReceiver } from "../support/receiver.ts";

const text = { bytes: "some text", filename: "notes.txt", contentType: "text/plain" };

/** Whether one of the signatures was made with `secret`. */
function isSignedWith(secret: string, { headers, body }: ReceivedWebhook): boolean {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}

test("after a rotation both secrets verify, and the page shows until when", async ({
  signedIn: page,
}) => {
  const receiver = openReceiver();
  await page.goto("/dashboard/webhooks");
  await expectAccessible(page);
  const shown = page.getByTestId("secret");
  await expect(shown).not.toContainText(/whsec_\w/);
  await page.getByRole("button", { name: "Reveal secret" }).click();
  await expect(shown).toContainText(/^whsec_\S{40,}/);
  const former = await shown.innerText();

  await page.getByRole("button", { name: "Rotate secret" }).click();
  await expectAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click();
  await expect(shown).not.toHaveText(former);
  await expect(shown).toContainText(/^whsec_\S{40,}/);
  const present = await shown.innerText();
  await expect(page.getByText(/previous secret is valid until/)).toBeVisible();

  const code = page.getByRole("region", { name: "Verify signatures" });
  await expect(code).not.toContainText(/whsec_\w/);
  await code.getByRole("button", { name: "Fill in my secret" }).click();
  await expect(code).toContainText(`new Webhook("${present}")`);

  await page.getByLabel("URL", { exact: true }).fill(receiver.url);
  await page.getByRole("button", { name: "Send test event" }).click();
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

test("a failed delivery is resent with the same webhook-id, and both attempts are shown", async ({
  signedIn: page,
  api,
}) => {
  const receiver = openReceiver([410, 200], "moved away");
  const job = await api.run("pipeline/file-inspect", text, { webhook_url: receiver.url });
  await receiver.waitFor(1);
  // The attempt is recorded after the response, and only a list with the delivery is refreshed then.
  await page.goto(`/dashboard/webhooks?job=${job.id}`);
  await expect(page.getByRole("table").getByRole("row").last()).toContainText("Failed");
  await page.goto(`/dashboard/webhooks?job=${job.id}&status=failed`);
  await page.getByRole("link", { name: "job.completed" }).click();
  await expect(page.getByRole("region", { name: "Response 1" })).toContainText("moved away");
  await page.getByRole("button", { name: "Resend" }).click();
  const hooks = await receiver.waitFor(2);
  await expect(page.getByText("Delivered", { exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Attempt 2" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Attempt 1" })).toBeVisible();
  expect(new Set(hooks.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
});

test("deliveries are filtered by job and status, and have pages; a wrong URL is rejected", async ({
  signedIn: page,
  api,
}) => {
  const receiver = openReceiver([200]);
  const job = await api.run("pipeline/file-inspect", text, { webhook_url: receiver.url });
  await api.run("pipeline/file-inspect", text, { webhook_url: receiver.url });
  // One less than an account may send by hand at once.
  const sent = 19;
  for (let index = 0; index < sent; index++) {
    await api.postJson("/v1/webhooks/test", { url: receiver.url });
  }
  await receiver.waitFor(sent + 2);
  await page.goto("/dashboard/webhooks");
  const rows = page.getByRole("table").getByRole("row");
  await expect(rows).toHaveCount(1 + 20);
  await page.getByRole("link", { name: "Older" }).click();
  await expect(rows).toHaveCount(1 + 1);
  await expect(rows.last()).toContainText("job.completed");
  await page.getByLabel("Job ID").fill(job.id);
  await page.getByRole("button", { name: "Filter" }).click();
  // The page before had one delivery, too.
  await expect(page).toHaveURL(new RegExp(job.id));
  await expect(rows).toHaveCount(1 + 1);
  await page.getByLabel("Status").selectOption("Failed");
  await page.getByRole("button", { name: "Filter" }).click();
  await expect(page.getByText("No deliveries match")).toBeVisible();
  await expectAccessible(page);

  // Neither http nor https.
  await page.getByLabel("URL", { exact: true }).fill("ftp://example.com/");
  await page.getByRole("button", { name: "Send test event" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "http" })).toBeVisible();
});

test("deliveries of other accounts do not exist", async ({ signedIn: page, browser, api }) => {
  const receiver = openReceiver([200], "private response");
  const job = await api.run("pipeline/file-inspect", text, { webhook_url: receiver.url });
  await receiver.waitFor(1);
  await page.goto("/dashboard/webhooks");
  await page.getByRole("link", { name: "job.completed" }).click();
  await expect(page.getByText("private response")).toBeVisible();
  const otherContext = await browser.newContext();
  await signIn(otherContext, await createTestAccount());
  const otherPage = await otherContext.newPage();
  await otherPage.goto(page.url());
  await expect(otherPage.getByText("Page not found")).toBeVisible();
  await otherPage.goto(`/dashboard/webhooks?job=${job.id}`);
  await expect(otherPage.getByText("No deliveries match")).toBeVisible();
  await otherContext.close();
});
