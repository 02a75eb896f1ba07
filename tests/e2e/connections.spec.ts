import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { startWebdavStore, storeUser, type UserStore } from "#tests/servers/storage/user-stores.ts";
import { expect, expectAccessible, switchToDark, test } from "./support/fixtures.ts";

const inputs = join(import.meta.dirname, "../../public/samples/inputs");
/** A name in several scripts, with characters that URLs and shells know. */
const picture = "фото 1 #%20?&.jpg";

let store: UserStore;

test.beforeAll(async () => {
  store = await startWebdavStore();
  await store.put(`in/2026/${picture}`, await readFile(join(inputs, "photo.jpg")));
  await store.put("in/clip.mp4", await readFile(join(inputs, "clip.mp4")));
});

test.afterAll(() => store.close());

/** Fills the form of a connection to the store, which is open in a dialog, and sends it. */
async function fillForm(page: Page, name: string, password: string): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Kind of store").selectOption("WebDAV");
  await dialog.getByLabel("Name", { exact: true }).fill(name);
  await dialog.getByLabel("URL of the folder").fill(String(store.fields.url));
  await dialog.getByLabel("User name").fill(storeUser);
  await dialog.getByLabel("Password", { exact: true }).fill(password);
  await dialog.getByRole("button", { name: "Create and test" }).click();
}

async function connect(page: Page, name: string): Promise<void> {
  await page.goto("/dashboard/connections");
  await page.getByRole("button", { name: "Create connection" }).click();
  await fillForm(page, name, String(store.fields.password));
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByText("The connection works.")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(dialog).toBeHidden();
}

test("a connection is created once, however often Enter is pressed", async ({ signedIn: page }) => {
  await page.goto("/dashboard/connections");
  await page.getByRole("button", { name: "Create connection" }).click();
  const { promise: mayContinue, resolve: letContinue } = Promise.withResolvers<void>();
  let sent = 0;
  await page.route("**/dashboard/**", async (route) => {
    if (route.request().method() === "POST") {
      sent++;
      await mayContinue;
    }
    await route.continue();
  });
  await fillForm(page, "Once", String(store.fields.password));
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("button", { name: "Saving…" })).toBeVisible();
  await dialog.getByLabel("Name", { exact: true }).press("Enter");
  await dialog.getByRole("button", { name: "Saving…" }).press("Enter");
  letContinue();
  await expect(dialog.getByText("The connection works.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("row").filter({ hasText: "Once" })).toHaveCount(1);
  expect(sent).toBeGreaterThan(0);
});

test("a connection is created, corrected, tested and deleted, and its secret is not shown", async ({
  signedIn: page,
}) => {
  await page.goto("/dashboard/connections");
  await expect(page.getByText("No connections yet")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Create connection" }).click();
  const dialog = page.getByRole("dialog");

  // What the API refuses is shown at its field, and nothing that was typed is lost.
  await fillForm(page, "", "wrong-canary-77");
  await expect(dialog.getByLabel("Name", { exact: true })).toBeFocused();
  await expect(dialog.getByRole("alert")).toContainText("must not be empty");
  await expectAccessible(page);
  await dialog.getByLabel("Name", { exact: true }).fill("Nextcloud");
  await dialog.getByRole("button", { name: "Create and test" }).click();
  await expect(dialog.getByRole("alert")).toContainText("refused");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row", { name: /Nextcloud/ });
  await expect(row).toContainText("Failed");
  await expect(row).toContainText("401");
  await expect(row).toContainText("Never");
  expect(await page.content()).not.toContain("canary");

  await row.getByRole("button", { name: "Edit Nextcloud" }).click();
  await expect(dialog.getByLabel("Password", { exact: true })).toHaveValue("");
  await expect(dialog.getByLabel("User name")).toHaveValue(storeUser);
  await dialog.getByLabel("Password", { exact: true }).fill(String(store.fields.password));
  await dialog.getByLabel("Folder", { exact: true }).fill("in");
  await dialog.getByRole("button", { name: "Save and test" }).click();
  await expect(dialog.getByText("The connection works.")).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(row).toContainText("Works");
  await row.getByRole("button", { name: "Test Nextcloud" }).click();
  await expect(page.getByText("“Nextcloud” works")).toBeVisible();
  await switchToDark(page);
  await expectAccessible(page);

  // Its files, by folders.
  await row.getByRole("button", { name: "Files of Nextcloud" }).click();
  await expect(dialog.getByText("clip.mp4", { exact: true })).toBeVisible();
  await dialog.getByRole("button", { name: /^2026/ }).click();
  await expect(dialog.getByText(picture, { exact: true })).toBeVisible();
  await expectAccessible(page);
  await dialog.getByRole("button", { name: `Copy reference of ${picture}` }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^conn_\w{24}:2026\/фото 1 #%20\?&\.jpg$/);
  await page.keyboard.press("Escape");

  await row.getByRole("button", { name: "Delete Nextcloud" }).click();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Delete connection" }).click();
  await expect(page.getByText("“Nextcloud” deleted")).toBeVisible();
  await expect(page.getByText("No connections yet")).toBeVisible();
  expect(await store.read("in/clip.mp4")).toBeDefined();
});

test("a role gets an external id with a policy that demands it", async ({ signedIn: page }) => {
  await page.goto("/dashboard/connections");
  await page.getByRole("button", { name: "Create connection" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Kind of store").selectOption("S3 with a role");
  await dialog.getByLabel("Name", { exact: true }).fill("Archive");
  await dialog.getByLabel("Bucket").fill("videos");
  await dialog.getByLabel("ARN of the role").fill("arn:aws:iam::123456789012:role/mediamill");
  await dialog.getByRole("button", { name: "Create and test" }).click();
  const id = await dialog.getByTestId("external-id").innerText();
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  await expect(dialog.locator("pre")).toContainText(`"sts:ExternalId": "${id}"`);
  await expectAccessible(page);
});

test("a job of the playground reads a file of a connection and sends its output there", async ({
  signedIn: page,
}) => {
  await connect(page, "Store");
  await page.goto("/dashboard/playground?operation=image/resize");
  await page.getByRole("button", { name: "From a connection: the input" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: /^in/ }).click();
  await dialog.getByRole("button", { name: /^2026/ }).click();
  await dialog.getByRole("button", { name: `Choose ${picture}` }).click();
  await expect(page.getByLabel("URL of the input")).toHaveValue(/^conn_\w+:in\/2026\/фото/);
  await page.getByRole("spinbutton", { name: "width" }).fill("64");

  await page.getByText("Outputs, webhook, metadata").click();
  await page.getByLabel("Where the outputs go").selectOption("Send the outputs to a connection");
  const path = page.getByLabel("Path", { exact: true });
  await path.fill("out/{dat}/{filename}");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("has the unknown placeholder {dat}")).toBeVisible();
  await expect(path).toBeFocused();
  await path.fill("out/{operation}/{stem}.{ext}");
  const expected = "out/image-resize/фото 1 #%20?&-resize.jpg";
  await expect(page.getByTestId("example-path")).toHaveText(expected);
  await expectAccessible(page);

  await page.getByRole("button", { name: "Copy as code" }).click();
  const snippets = [
    ["curl", '"path": "out/{operation}/{stem}.{ext}"'],
    ["TypeScript", 'path: "out/{operation}/{stem}.{ext}"'],
    ["Python", '"path": "out/{operation}/{stem}.{ext}"'],
    ["CLI", "--export 'conn_"],
  ] as const;
  for (const [language, part] of snippets) {
    await dialog.getByRole("tab", { name: language }).click();
    await expect(dialog.getByRole("tabpanel")).toContainText(part);
  }
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Run", exact: true }).click();
  const result = page.getByLabel("Result");
  await expect(result.getByText("Completed", { exact: true })).toBeVisible();
  await expect(result.getByText(`:${expected}`)).toBeVisible();
  expect((await store.read(expected))?.length).toBeGreaterThan(100);

  // Without permission to replace it, the same job fails with the reason.
  await page.getByRole("spinbutton", { name: "width" }).fill("65");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(result.getByText(/has a file with this path already/).first()).toBeVisible();
  await page.getByLabel("Replace a file with this path").check();
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(result.getByText("Completed", { exact: true })).toBeVisible();

  await page.goto("/dashboard/connections");
  await expect(page.getByRole("row", { name: /Store/ })).not.toContainText("Never");
});
