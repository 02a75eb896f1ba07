import { Webhook } from "standardwebhooks";
import { expect, expectAccessible, switchToDark, test } from "../support/fixtures.ts";
import { openReceiver } from "../support/receiver.ts";

const text = { bytes: "some text", filename: "notes.txt", contentType: "text/plain" };
const markup = `<img src=x onerror="window.ran=1">`;

test("an endpoint is made, tried, watched, and its failed webhook sent again", async ({
  signedIn: page,
  api,
}) => {
  const receiver = openReceiver([200, 200, 410, 200]);
  await page.goto("/dashboard/webhooks");
  const list = page.getByRole("region", { name: "Webhook endpoints" });
  await expect(list).toContainText("No endpoints yet");
  await list.getByRole("link", { name: "Add endpoint" }).click();
  await expect(page.getByRole("heading", { name: "Add endpoint" })).toBeVisible();
  await expectAccessible(page);

  await page.getByLabel("URL", { exact: true }).fill("http://10.0.0.1/hook");
  await page.getByLabel("Description").fill(markup);
  await page.getByRole("button", { name: "Create endpoint" }).click();
  await expect(page.getByText(/must have a public host/)).toBeVisible();
  await page.getByLabel("URL", { exact: true }).fill(receiver.url);
  for (const checked of await page.getByRole("checkbox", { checked: true }).all()) {
    expect(await checked.getAttribute("value")).toMatch(/^job\.(completed|failed)$/);
  }
  await page.getByRole("checkbox", { name: "job.created" }).check();
  await page.getByRole("checkbox", { name: "job.failed" }).uncheck();
  await page.getByRole("button", { name: "Create endpoint" }).click();
  const secret = await page.getByTestId("endpoint-secret").innerText();
  expect(secret).toMatch(/^whsec_\S{40,}/);
  await page.getByRole("link", { name: "Open the endpoint" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(markup);
  await expect(page.getByText("It gets the events that you have chosen.")).toBeVisible();
  await expect(page.getByText("No deliveries yet")).toBeVisible();

  await page.getByRole("button", { name: "Send test event" }).click();
  const deliveries = page.getByRole("region", { name: "Deliveries" });
  const rows = deliveries.getByRole("row");
  await expect(rows.nth(1)).toContainText(/Delivered.*test/);
  const [tried] = await receiver.waitFor(1);
  const event = new Webhook(secret).verify(tried?.body ?? "", tried?.headers ?? {});
  expect(event).toMatchObject({ type: "test" });

  await api.run("pipeline/file-inspect", text);
  await receiver.waitFor(3);
  await page.reload();
  await expect(page.getByText(/It was disabled because it answered 410 Gone/)).toBeVisible();
  await expect(deliveries).toContainText("job.created");
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await switchToDark(page);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await page.setViewportSize({ width: 1280, height: 900 });

  await rows.filter({ hasText: "Failed" }).getByRole("link").click();
  await page.getByRole("button", { name: "Resend" }).click();
  const hooks = await receiver.waitFor(4);
  await expect(page.getByText("Delivered", { exact: true })).toBeVisible();
  expect(hooks[3]?.headers["webhook-id"]).toBe(hooks[2]?.headers["webhook-id"]);
  await page.getByRole("link", { name: receiver.url }).click();
  await page.getByRole("button", { name: "Enable" }).click();
  await expect(page.getByText("It gets the events that you have chosen.")).toBeVisible();
  expect(await page.evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();
});

test("an endpoint is changed, gets a new secret, is disabled and deleted", async ({
  signedIn: page,
  api,
}) => {
  const receiver = openReceiver();
  const response = await api.postJson("/v1/webhooks/endpoints", {
    url: "https://example.com/hook",
    events: ["batch.completed"],
    description: "Orders",
  });
  const { id, secret } = (await response.json()) as { id: string; secret: string };
  await page.goto("/dashboard/webhooks");
  const list = page.getByRole("region", { name: "Webhook endpoints" });
  await expect(list.getByRole("row").nth(1)).toContainText(/Orders.*Enabled/);
  await expectAccessible(page);
  await list.getByRole("link", { name: "https://example.com/hook" }).click();
  const settings = page.getByRole("region", { name: "Settings" });
  await expect(settings.getByRole("checkbox", { name: "batch.completed" })).toBeChecked();
  await settings.getByLabel("URL", { exact: true }).fill(receiver.url);
  await settings.getByRole("checkbox", { name: "batch.completed" }).uncheck();
  await settings.getByRole("button", { name: "Save" }).click();
  await expect(settings.getByText("must have at least one type of events")).toBeVisible();
  await settings.getByRole("checkbox", { name: "job.completed" }).check();
  await settings.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Endpoint saved")).toBeVisible();
  const read = async () => (await api.request(`/v1/webhooks/endpoints/${id}`)).json();
  expect(await read()).toMatchObject({ url: receiver.url, events: ["job.completed"] });

  await settings.getByRole("button", { name: "Rotate secret" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Rotate secret" }).click();
  const shown = page.getByTestId("endpoint-secret");
  await expect(shown).toHaveText(/^whsec_/);
  const rotated = await shown.innerText();
  await page.getByRole("button", { name: "Send test event" }).click();
  const [hook] = await receiver.waitFor(1);
  for (const one of [secret, rotated])
    new Webhook(one).verify(hook?.body ?? "", hook?.headers ?? {});

  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Disable endpoint" }).click();
  await expect(page.getByText(/You disabled it/)).toBeVisible();
  expect(await read()).toMatchObject({ enabled: false, disabled_reason: "owner" });
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete endpoint" }).click();
  await expect(list).toContainText("No endpoints yet");
  expect((await api.request(`/v1/webhooks/endpoints/${id}`)).status).toBe(404);
});
