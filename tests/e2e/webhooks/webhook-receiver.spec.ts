import { expect, expectAccessible, switchToDark, test } from "../support/fixtures.ts";
import { openReceiver } from "../support/receiver.ts";

const text = { bytes: "some text", filename: "notes.txt", contentType: "text/plain" };
const markup = `<img src=x onerror="window.ran=1">`;

test("the test receiver shows requests live, responds as chosen, and replays them", async ({
  signedIn: page,
  api,
}) => {
  await page.goto("/dashboard/webhooks/receiver");
  const url = await page.getByTestId("receiver-url").innerText();
  const list = page.getByRole("region", { name: "Received requests" });
  const rows = list.getByRole("listitem");

  await list.getByRole("button", { name: "Send a sample" }).click();
  await expect(rows).toHaveText(/job\.completed.*Verified.*200/);

  // Without a retry, which would be another row.
  const saved = page.waitForResponse((response) => response.request().method() === "POST");
  await page.getByLabel("It responds with").selectOption("410 Gone");
  await saved;
  await expect(page.getByText("410 stops the retries")).toBeVisible();
  const anything = await fetch(url, {
    method: "PUT",
    headers: { authorization: "Bearer mm_live_x" },
    body: markup,
  });
  expect(anything.status).toBe(410);
  await expect(rows.first()).toContainText("Not verified");
  await rows.first().getByRole("button", { expanded: false }).click();
  await expect(rows.first()).toContainText("The request is not signed");
  await expect(rows.first()).toContainText(markup);
  await expect(rows.first()).toContainText("authorization: ***");
  await expect(rows.first()).toContainText("A replay signs it with your secret");
  expect(await page.evaluate(() => Reflect.get(window, "ran"))).toBeUndefined();

  const job = await api.run("pipeline/file-inspect", text, { webhook_url: url });
  await expect(rows.first()).toContainText(/job\.completed.*Verified.*410/);
  await rows.first().getByRole("button", { expanded: false }).click();
  await expect(rows.first()).toContainText(`"id": "${job.id}"`);

  const target = openReceiver([202]);
  await rows.first().getByLabel("URL").fill(target.url);
  await rows.first().getByRole("button", { name: "Replay" }).click();
  await expect(rows.first().getByRole("status")).toContainText("202");
  const [hook] = await target.waitFor(1);
  expect(JSON.parse(hook?.body ?? "")).toMatchObject({ data: { id: job.id } });

  await page.setViewportSize({ width: 390, height: 844 });
  await switchToDark(page);
  await expectAccessible(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);

  // The delivery that the receiver refused.
  await rows.first().getByRole("link", { name: "A delivery of yours" }).click();
  await expect(page.getByText("Failed", { exact: true })).toBeVisible();
  expect(page.url()).toContain(hook?.headers["webhook-id"]);
});
