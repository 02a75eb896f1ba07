import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import sharp from "sharp";
import { expect, inject, it } from "vitest";
import type { ServedPicture, ServedPreview } from "#lib/api/endpoints/live/preview.ts";
import { projectFolder } from "#lib/setup/node24.mjs";
import { insertAccount } from "#tests/service/accounts.ts";
import { withServiceDatabase } from "#tests/service/database/service-database.ts";
import { Client } from "#tests/service/http/client.ts";
import { FormBrowser } from "#tests/service/http/form-browser.ts";

const password = "purple lighthouse 9";

async function signIn() {
  const account = await insertAccount({ password });
  const browser = new FormBrowser(inject("service").url);
  await browser.signIn(account.email, password);
  const post = (path: string, body: unknown) =>
    browser.send(path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const upload = async (filename: string, bytes: Uint8Array) => {
    const created = await post("/dashboard/api/uploads", { filename, bytes: bytes.byteLength });
    const { id, url } = (await created.json()) as { id: string; url: string }; // our own response
    expect((await fetch(url, { method: "PUT", body: Buffer.from(bytes) })).status).toBe(204);
    return id;
  };
  const preview = async (operation: string, body: unknown): Promise<ServedPicture> => {
    let response = await post(`/dashboard/api/live/${operation}`, body);
    // Jobs of other tests come first.
    for (let tries = 0; response.status === 429 && tries < 60; tries++) {
      await wait(500);
      response = await post(`/dashboard/api/live/${operation}`, body);
    }
    const text = await response.text();
    expect(response.status, text).toBe(200);
    const { picture, message } = JSON.parse(text) as ServedPreview; // the service's response
    if (!picture) throw new Error(String(message));
    return picture;
  };
  return { account, post, upload, preview };
}

const sample = (name: string) => readFile(join(projectFolder, "public/samples/inputs", name));

const sizeOf = async ({ image }: ServedPicture) => {
  const { width, height } = await sharp(Buffer.from(image, "base64")).metadata();
  return { width, height };
};

it("an image is previewed at 512 pixels with the size of the full output, without a job or usage", async () => {
  const { account, upload, preview } = await signIn();
  const photo = await sharp(await sample("photo.jpg"))
    .resize(3000)
    .jpeg()
    .toBuffer();
  const id = await upload("photo.jpg", photo);
  const shown = await preview("image/crop", {
    upload: id,
    params: { left: 301, top: 10, width: 1501, height: 999 },
  });
  expect(shown).toMatchObject({ content_type: "image/jpeg", width: 1501, height: 999 });
  const { width = 0, height = 0 } = await sizeOf(shown);
  expect(Math.abs(width - 256)).toBeLessThanOrEqual(1);
  expect(Math.abs(height - 170)).toBeLessThanOrEqual(1);

  const resized = await preview("image/resize", { upload: id, params: { width: 800 } });
  expect(resized).toMatchObject({ width: 800, height: 533 });
  const job = await new Client(account.key).run(
    "image/resize",
    { bytes: photo, filename: "photo.jpg" },
    { width: "800" },
  );
  const real = job.outputs[0]?.bytes ?? 0;
  expect((resized.bytes ?? 0) / real).toBeGreaterThan(0.5);
  expect((resized.bytes ?? 0) / real).toBeLessThan(2);
  const counts = await withServiceDatabase(
    (sql) => sql`select (select count(*)::int from jobs where account_id = ${account.id}) as jobs,
      (select count(*)::int from live_previews) as previews`,
  );
  expect(counts[0]).toEqual({ jobs: 1, previews: 0 });
});

it("a frame of a video, a page of a document and a code without a file are previewed", async () => {
  const { upload, preview } = await signIn();
  const video = await upload("video.mp4", await sample("video.mp4"));
  const frame = await preview("video/rotate", { upload: video, params: { angle: 90 } });
  const shape = await sizeOf(frame);
  expect(shape.height ?? 0).toBeGreaterThan(shape.width ?? 0);
  expect(frame.bytes).toBeNull();
  const pdf = await upload("brochure.pdf", await sample("brochure.pdf"));
  const page = await preview("document/watermark-pdf", { upload: pdf, params: { text: "Draft" } });
  expect((await sizeOf(page)).width).toBe(512);
  const code = await preview("image/qr-code", { params: { text: "https://example.com" } });
  expect(await sizeOf(code)).toEqual({ width: code.width, height: code.height });
});

it("a preview needs the caller's own upload, valid parameters and an operation that has one", async () => {
  const { post, upload } = await signIn();
  const other = await signIn();
  const id = await upload("photo.jpg", await sample("photo.jpg"));
  const ask = async (by: Pick<typeof other, "post">, operation: string, body: unknown) => {
    const response = await by.post(`/dashboard/api/live/${operation}`, body);
    const { error, message } = (await response.json()) as { error?: string; message?: string };
    return [response.status, String(error ?? message)] as const;
  };
  const flip = { upload: id, params: { direction: "horizontal" } };
  expect(await ask(other, "image/flip", flip)).toEqual([400, expect.stringContaining("`upload`")]);
  expect(await ask({ post }, "audio/volume", { upload: id, params: {} })).toEqual([
    404,
    expect.stringContaining("no live preview"),
  ]);
  // While a form is filled in, its values are often not valid.
  const outside = { left: 5000, top: 0, width: 10, height: 10 };
  for (const [operation, params, said] of [
    ["image/blur", { sigma: "x" }, /`sigma`/],
    ["image/compress", { max_bytes: 5000 }, /`max_bytes`/],
    ["image/crop", outside, /1200 × 800/],
    ["video/rotate", { angle: 90 }, /JPEG/],
  ] as const) {
    const [status, message] = await ask({ post }, operation, { upload: id, params });
    expect([operation, status], message).toEqual([
      operation,
      operation === "video/rotate" ? 400 : 200,
    ]);
    expect(message).toMatch(said);
  }
});

it("the output of a job is measured against its input", async () => {
  const { account, post } = await signIn();
  const other = await signIn();
  const client = new Client(account.key);
  const photo = { bytes: await sample("photo.jpg"), filename: "photo.jpg" };
  const ssims: number[] = [];
  for (const quality of ["90", "10"]) {
    const { id } = await client.run("image/convert", photo, { format: "webp", quality });
    const path = `/dashboard/api/jobs/${id}/measure`;
    expect((await other.post(path, {})).status).toBe(404);
    const { ssim } = (await (await post(path, {})).json()) as { ssim: number }; // our own response
    ssims.push(ssim);
  }
  expect(ssims[0]).toBeGreaterThan(0.95);
  expect(ssims[1]).toBeLessThan(ssims[0] ?? 0);
  const speech = { bytes: await sample("podcast.mp3"), filename: "podcast.mp3" };
  const { id } = await client.run("audio/normalize", speech, {});
  const measured = await post(`/dashboard/api/jobs/${id}/measure`, {});
  expect(await measured.json()).toEqual({ ssim: null, lufs: expect.closeTo(-16, -1) });
});
