import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import puppeteer from "puppeteer";
import sharp from "sharp";
import { makeDocx } from "#tests/samples/word.ts";
import { startStack } from "#tests/service/stack.ts";
import { measureCase, reportRows } from "./measure.ts";

/** Overhead of the service for a small job of each warm engine: the time from request to finished job. */

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), "mediamill-bench-"));
const stack = await startStack({ LOG_LEVEL: "warn" });

async function post(operation: string, path: string, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new File([new Uint8Array(await readFile(path))], path));
  const headers = { "x-api-key": stack.apiKey, prefer: "wait=60" };
  const response = await fetch(`${stack.url}/v1/${operation}`, {
    method: "POST",
    body: form,
    headers,
  });
  const job = (await response.json()) as { status: string; error: string };
  if (job.status !== "completed") throw new Error(`${operation}: ${response.status} ${job.error}`);
}

const paths = Object.fromEntries(
  ["image.png", "page.html", "document.docx", "video.mp4"].map((name) => [
    name,
    join(folder, name),
  ]),
) as Record<string, string>;
const file = (name: string) => paths[name] ?? "";

await writeFile(file("page.html"), "<!doctype html><h1>One page</h1><p>of text</p>");
await writeFile(file("document.docx"), makeDocx(["Dear reader,", "this is a document."]));
const noise = {
  create: {
    width: 320,
    height: 200,
    channels: 3,
    background: "#888",
    noise: { type: "gaussian", mean: 128, sigma: 30 },
  },
} as const;
await sharp(noise).png().toFile(file("image.png"));
await run("ffmpeg", [
  "-v",
  "error",
  "-f",
  "lavfi",
  "-i",
  "testsrc2=s=320x180:r=25:d=2",
  "-pix_fmt",
  "yuv420p",
  file("video.mp4"),
]);

const browser = await puppeteer.launch({
  executablePath: "/usr/bin/chromium-headless-shell",
  args: ["--no-sandbox", "--disable-gpu"],
  pipe: true,
});

try {
  sharp.cache(false);
  const rows = [
    await measureCase({
      name: "image/sharpen, 320×200 PNG",
      engine: "sharp in this process",
      rounds: 30,
      service: () => post("image/sharpen", file("image.png")),
      bare: () => sharp(file("image.png")).sharpen({ sigma: 1 }).png().toBuffer(),
    }),
    await measureCase({
      name: "document/html-to-pdf, one page",
      engine: "Puppeteer, warm browser",
      rounds: 20,
      service: () => post("document/html-to-pdf", file("page.html")),
      bare: async () => {
        const page = await browser.newPage();
        await page.setContent(await readFile(file("page.html"), "utf8"));
        await page.pdf({ format: "A4" });
        await page.close();
      },
    }),
    await measureCase({
      name: "document/doc-to-pdf, one page",
      engine: "soffice --convert-to, cold",
      rounds: 5,
      service: () => post("document/doc-to-pdf", file("document.docx")),
      bare: () =>
        run("soffice", [
          "--headless",
          `-env:UserInstallation=file://${folder}/profile`,
          "--convert-to",
          "pdf",
          "--outdir",
          folder,
          file("document.docx"),
        ]),
    }),
    await measureCase({
      name: "video/framerate, 2 s of 320×180",
      engine: "ffmpeg on the command line",
      rounds: 5,
      service: () => post("video/framerate", file("video.mp4"), { fps: "24" }),
      bare: () =>
        run("ffmpeg", [
          "-v",
          "error",
          "-y",
          "-i",
          file("video.mp4"),
          "-vf",
          "fps=24",
          "-preset",
          "veryfast",
          "-crf",
          "18",
          join(folder, "out.mp4"),
        ]),
    }),
    await measureCase({
      name: "pipeline/file-inspect, PNG",
      engine: "sharp's metadata",
      rounds: 20,
      service: () => post("pipeline/file-inspect", file("image.png")),
      bare: () => sharp(file("image.png")).metadata(),
    }),
  ];
  reportRows("service", rows);
} finally {
  await browser.close();
  await stack.stop();
  await rm(folder, { recursive: true, force: true });
}
