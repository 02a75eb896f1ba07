import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { formatTime } from "#components/format.ts";
import {
  createTestAccount,
  expect,
  expectAccessible,
  signIn,
  switchToDark,
  test,
} from "./support/fixtures.ts";
import { expectShown } from "./support/previews.ts";
import { openReceiver } from "./support/receiver.ts";

const inputs = join(import.meta.dirname, "../../public/samples/inputs");
const text = { bytes: "some text", filename: "notes.txt", contentType: "text/plain" };
const photo = async () => ({
  bytes: await readFile(join(inputs, "photo.jpg")),
  filename: "photo.jpg",
});
const damaged = { bytes: Buffer.from("ffd8ffe000104a464946", "hex"), filename: "damaged.jpg" };

const rows = (page: Page) => page.getByRole("table").getByRole("row");

test.describe("the job list", () => {
  test.use({ plan: "enterprise" });

  test("has an empty state, and shows a new job without a reload", async ({
    signedIn: page,
    api,
    host,
  }) => {
    await page.goto("/dashboard/jobs");
    await expect(page.getByText("No jobs yet")).toBeVisible();
    await expectAccessible(page);
    await api.postJson("/v1/pipeline/file-inspect", { input: `${host.url}/slow` });
    await expect(rows(page)).toHaveCount(2);
    await expect(rows(page).nth(1)).toContainText(/Pending|Processing/);
    await expect(rows(page).nth(1)).toContainText("Completed");
    await expect(page.getByLabel("Status")).toBeVisible();
    await expect(page.getByText("1 job", { exact: true })).toBeVisible();
  });

  test("dates new jobs in the past, to the second", async ({ signedIn: page, api }) => {
    await page.goto("/dashboard/jobs");
    await expect(page.getByText("No jobs yet")).toBeVisible();
    await api.run("pipeline/file-inspect", text);
    const created = rows(page).nth(1).locator("time");
    const seen = new Set<string>();
    await expect
      .poll(async () => {
        seen.add(await created.innerText());
        return [...seen].some((text) => /^[2-9] seconds ago$/.test(text));
      })
      .toBe(true);
    expect([...seen].filter((text) => !/^(now|\d seconds? ago)$/.test(text))).toEqual([]);
  });

  test("lets the text of a row be selected, and opens the job on a click", async ({
    signedIn: page,
    api,
  }) => {
    const job = await api.run("pipeline/file-inspect", text);
    const select = async (words: string) => {
      const box = await rows(page).nth(1).getByText(words).boundingBox();
      const { x, y, width, height } = box ?? { x: 0, y: 0, width: 0, height: 0 };
      await page.mouse.move(x + 1, y + height / 2);
      await page.mouse.down();
      await page.mouse.move(x + Math.min(width, 60), y + height / 2, { steps: 4 });
      await page.mouse.up();
      return page.evaluate(() => String(window.getSelection()).trim());
    };
    for (const words of ["notes.txt", job.id]) {
      // The list may move while the mouse does. It is a click then, which opens the job.
      await expect(async () => {
        await page.goto("/dashboard/jobs");
        const selected = await select(words);
        expect(selected.length, words).toBeGreaterThan(3);
        expect(words).toContain(selected);
      }).toPass();
    }
    await expect(page).toHaveURL("/dashboard/jobs");
    await rows(page).nth(1).getByText("9 B").click();
    await expect(page).toHaveURL(new RegExp(`${job.id}$`));
  });

  test("is filtered by status, operation, date and ID, with the filters in the URL", async ({
    signedIn: page,
    api,
  }) => {
    const good = await api.run("pipeline/file-inspect", text);
    await api.run("image/sharpen", damaged);
    await page.goto("/dashboard/jobs");
    await expect(rows(page)).toHaveCount(3);
    await page.getByLabel("Status").selectOption("failed");
    await expect(rows(page)).toHaveCount(2);
    await expect(page).toHaveURL(/\?status=failed$/);
    await page.getByRole("button", { name: "Operation" }).click();
    await page.getByPlaceholder("Search operations…").fill("pipeline/file-inspect");
    await page.keyboard.press("Enter");
    await expect(page.getByText("No jobs match these filters")).toBeVisible();
    await page.reload();
    await expect(page.getByLabel("Status")).toHaveValue("failed");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Clear" }).click();
    await expect(rows(page)).toHaveCount(3);
    await expect(page).toHaveURL(/\/dashboard\/jobs$/);
    await page.getByLabel("Before (UTC)").fill("2020-01-01");
    await expect(page.getByText("No jobs match these filters")).toBeVisible();
    await page.getByRole("link", { name: "Show all jobs" }).click();
    await expect(rows(page)).toHaveCount(3);
    await page.getByLabel("Created from").fill("2020-01-01");
    await expect(page).toHaveURL(/created_after=2020-01-01/);
    await expect(rows(page)).toHaveCount(3);
    await page.getByLabel("Search", { exact: true }).fill(good.id.slice(0, 24));
    await expect(rows(page)).toHaveCount(2);
    await rows(page).nth(1).getByRole("link").click();
    await expect(page).toHaveURL(new RegExp(`${good.id}$`));
  });

  test("has pages", async ({ signedIn: page, api }) => {
    for (let count = 0; count < 26; count++)
      await api.postForm("/v1/pipeline/file-inspect", { file: text });
    await page.goto("/dashboard/jobs");
    await expect(rows(page)).toHaveCount(1 + 25);
    await expect(page.getByText("26 jobs", { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "Older" }).click();
    await expect(rows(page)).toHaveCount(1 + 1);
    await page.getByRole("link", { name: "Newer" }).click();
    await expect(rows(page)).toHaveCount(1 + 25);
  });

  test("shows cards on narrow pages without horizontal overflow", async ({
    signedIn: page,
    api,
  }) => {
    const job = await api.run("image/sharpen", await photo());
    await page.setViewportSize({ width: 360, height: 740 });
    for (const path of ["/dashboard/jobs", `/dashboard/jobs/${job.id}`, "/dashboard/playground"]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(width, path).toBeLessThanOrEqual(360);
      await expectAccessible(page);
    }
    await page.goto("/dashboard/jobs");
    await expect(page.getByRole("table")).toBeHidden();
    await page.getByRole("list", { name: "Jobs" }).getByRole("link").click();
    await expect(page).toHaveURL(new RegExp(`${job.id}$`));
  });
});

test.describe("a job's page", () => {
  test.use({ timezoneId: "Asia/Tokyo" });

  test("shows the timeline in local time, the input and the outputs", async ({
    signedIn: page,
    api,
  }) => {
    const job = await api.run("image/sharpen", await photo(), {
      sigma: "2",
      metadata: JSON.stringify({ order: "17" }),
    });
    await page.goto(`/dashboard/jobs/${job.id}`);
    const created = page.locator(`time[datetime="${job.created_at}"]`, { hasText: "GMT+9" });
    await expect(created).toHaveText(formatTime(new Date(job.created_at), "Asia/Tokyo"));
    await expect(created).toHaveAttribute("title", formatTime(new Date(job.created_at)));
    for (const phase of ["Queued", "Running", "Storing", "Completed after"]) {
      await expect(page.getByText(phase)).toBeVisible();
    }
    await expectShown(page.getByRole("img", { name: "Before" }));
    await expectShown(page.getByRole("img", { name: "After" }));
    await expect(page.getByText("order", { exact: true })).toBeVisible();
    await expect(page.getByRole("tabpanel", { name: "curl" })).toContainText("sigma=2");
    await switchToDark(page);
    await expectAccessible(page);
  });

  test("runs a job again, and follows the new job until it is completed", async ({
    signedIn: page,
    api,
  }) => {
    const job = await api.run("pipeline/file-inspect", text);
    await page.goto(`/dashboard/jobs/${job.id}`);
    await page.getByRole("button", { name: "Run again" }).click();
    await expect(page).not.toHaveURL(new RegExp(job.id));
    await expect(page.getByText("Completed", { exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: "notes.txt" })).toBeVisible();
    await expect(page.getByRole("region", { name: "Result" })).toContainText('type "txt"');
  });

  test("opens the playground with the job's file and parameters", async ({
    signedIn: page,
    api,
  }) => {
    const job = await api.run("image/sharpen", await photo(), { sigma: "2.5" });
    await page.goto(`/dashboard/jobs/${job.id}`);
    await page.getByRole("link", { name: "Open in playground" }).click();
    await expect(page.getByRole("spinbutton", { name: "sigma" })).toHaveValue("2.5");
    await expect(page.getByRole("button", { name: "Remove photo.jpg" })).toBeVisible();
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expectShown(page.getByRole("img", { name: "After" }));
  });

  test("deletes the files after a confirmation, and keeps the record", async ({
    signedIn: page,
    api,
  }) => {
    const job = await api.run("image/sharpen", await photo());
    await page.goto(`/dashboard/jobs/${job.id}`);
    const dialog = page.getByRole("alertdialog");
    await page.getByRole("button", { name: "Delete files" }).click();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await expectShown(page.getByRole("img", { name: "After" }));
    await page.getByRole("button", { name: "Delete files" }).click();
    await dialog.getByRole("button", { name: "Delete files" }).click();
    await expect(page.getByText("The files have been deleted.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Run again" })).toBeHidden();
    expect((await api.request(`/v1/jobs/${job.id}/output`)).status).toBe(410);
  });

  test("cancels a running job", async ({ signedIn: page, api, host }) => {
    const made = await api.postJson("/v1/pipeline/file-inspect", { input: `${host.url}/drip` });
    const { id } = await made.json();
    await page.goto(`/dashboard/jobs/${id}`);
    await expect(page.getByText("Fetching")).toBeVisible();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Cancel job" }).click();
    await expect(page.getByText("Cancelled", { exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "Retry" })).toBeVisible();
  });

  test("shows each attempt of its webhook, and resends it", async ({ signedIn: page, api }) => {
    const receiver = openReceiver([410, 200]);
    const endpoint = openReceiver([204]);
    await api.postJson("/v1/webhooks/endpoints", {
      url: endpoint.url,
      events: ["job.created", "job.completed"],
    });
    const job = await api.run("pipeline/file-inspect", text, { webhook_url: receiver.url });
    await receiver.waitFor(1);
    await endpoint.waitFor(2);
    await page.goto(`/dashboard/jobs/${job.id}`);
    const attempts = page.getByRole("list", { name: "Attempts" }).getByRole("listitem");
    await expect(attempts).toHaveText([/410/]);
    await page.getByRole("button", { name: "Resend" }).click();
    await expect(attempts).toHaveText([/410/, /200/]);
    await expect(page.getByText("Delivered", { exact: true })).toBeVisible();
  });

  test("shows why a job failed and what to do", async ({ signedIn: page, api }) => {
    const job = await api.run("image/sharpen", damaged);
    await page.goto(`/dashboard/jobs/${job.id}`);
    const failure = page.getByRole("alert").filter({ hasText: job.error ?? "no error" });
    await expect(failure).toContainText("save it again");
    await expect(failure).toContainText("corrupt");
    await expectAccessible(page);
  });

  test("downloads all outputs as one ZIP file", async ({ signedIn: page, api }) => {
    const job = await api.run("image/sharpen", await photo());
    const archive = await page.request.get(`/dashboard/api/jobs/${job.id}/archive`);
    expect(archive.headers()["content-type"]).toBe("application/zip");
    expect((await archive.body()).subarray(0, 2).toString()).toBe("PK");
  });

  test("returns 404 for jobs of other accounts and their files", async ({
    browser,
    api,
    service,
  }) => {
    const job = await api.run("image/sharpen", await photo());
    const context = await browser.newContext({ baseURL: service.url });
    await signIn(context, await createTestAccount());
    const page = await context.newPage();
    const response = await page.goto(`/dashboard/jobs/${job.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Not found");
    expect(response?.status()).toBe(404);
    for (const path of ["events", "archive"]) {
      expect((await page.request.get(`/dashboard/jobs/${job.id}/${path}`)).status()).toBe(404);
    }
    await page.goto(`/dashboard/jobs?id=${job.id}`);
    await expect(page.getByText("No jobs match these filters")).toBeVisible();
    await page.goto(`/dashboard/playground?from=${job.id}`);
    await expect(page.getByRole("button", { name: "Choose a file" })).toBeVisible();
    await context.close();
  });

  test("signs the URL of a stored input for this file only", async ({ signedIn: page, api }) => {
    const job = await api.run("image/sharpen", await photo());
    await page.goto(`/dashboard/jobs/${job.id}`);
    const source = await page.getByRole("img", { name: "Before" }).getAttribute("src");
    const good = await page.request.get(source ?? "");
    expect(good.status()).toBe(200);
    expect(good.headers()["content-security-policy"]).toContain("sandbox");
    for (const altered of [
      `${source}0`,
      (source ?? "").replace("/input/file/", "/input/watermark/"),
    ]) {
      expect((await page.request.get(altered)).status()).toBe(403);
    }
    const output = (source ?? "").replace("/input/file/", "/0/");
    expect((await page.request.get(output)).status()).toBe(403);
  });

  test("shows markup in file names, parameters and metadata as text", async ({
    signedIn: page,
    api,
    host,
  }) => {
    const markup = `<img src=x onerror="document.title='owned'">`;
    const job = await api.run(
      "image/watermark-text",
      { ...(await photo()), filename: `${markup}.jpg` },
      { text: `${markup}{{7*7}}`, metadata: JSON.stringify({ link: "javascript:alert(1)" }) },
    );
    expect(job.status).toBe("completed");
    await writeFile(join(host.folder, "evil.html"), `<script>document.title='owned'</script>`);
    const html = await api.runUrl("document/html-to-pdf", `${host.url}/evil.html`);
    for (const path of [
      `/dashboard/jobs/${job.id}`,
      `/dashboard/jobs/${html.id}`,
      "/dashboard/jobs",
    ]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.locator("img[src=x], a[href^=javascript]")).toHaveCount(0);
      await expect(page).not.toHaveTitle("owned");
    }
    await page.goto(`/dashboard/playground?from=${job.id}`);
    await expect(page.getByText(`${markup}.jpg`, { exact: true })).toBeVisible();
    await expect(page).toHaveTitle(/^Playground/);
  });
});
