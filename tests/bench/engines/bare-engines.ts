import { type ChildProcess, spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import puppeteer, { type Browser } from "puppeteer";
import sharp from "sharp";

/** Engines without the service, each warm and in a loop. */

/** Does the same work again and again for `seconds`; resolves with how often. */
export interface BareEngine {
  readonly description: string;
  /** The root of the processes whose CPU time it uses. */
  readonly pid: number;
  run(seconds: number): Promise<number>;
  close(): Promise<void>;
}

async function countRuns(seconds: number, work: () => Promise<unknown>): Promise<number> {
  const deadline = performance.now() + seconds * 1000;
  let count = 0;
  for (; performance.now() < deadline; count++) await work();
  return count;
}

/** A warm headless shell that prints the HTML file at `path`. */
export async function startBareChromium(
  path: string,
): Promise<BareEngine & { repeat(times: number): Promise<void> }> {
  const html = await readFile(path, "utf8");
  const browser: Browser = await puppeteer.launch({
    executablePath: "/usr/lib/chromium/chromium-headless-shell",
    args: ["--no-sandbox", "--disable-gpu"],
    pipe: true,
  });
  const print = async () => {
    const page = await browser.newPage();
    await page.setContent(html);
    await page.pdf({ format: "A4" });
    await page.close();
  };
  await print();
  return {
    description: "a warm headless shell",
    pid: browser.process()?.pid ?? 0,
    run: (seconds) => countRuns(seconds, print),
    repeat: async (times) => {
      for (let count = 0; count < times; count++) await print();
    },
    close: () => browser.close(),
  };
}

/** One warm LibreOffice per core, over UNO, each converting the document at `path`. */
export async function startBareLibreOffice(path: string, folder: string): Promise<BareEngine> {
  const program = join(import.meta.dirname, "uno-loop.py");
  const soffice = "/usr/lib/libreoffice/program/soffice.bin";
  const loops = Array.from({ length: availableParallelism() }, (_, index) => {
    const args = [program, soffice, join(folder, `profile-${index}`), path];
    args.push(join(folder, `bare-${index}.pdf`));
    const child = spawn("/usr/bin/python3", args, { stdio: ["pipe", "pipe", "inherit"] });
    return { child, lines: createInterface(child.stdout)[Symbol.asyncIterator]() };
  });
  for (const { lines } of loops) await lines.next();
  const run = async (seconds: number) => {
    for (const { child } of loops) child.stdin.write(`${seconds}\n`);
    const counts = await Promise.all(loops.map(({ lines }) => lines.next()));
    return counts.reduce((sum, { value }) => sum + Number(value), 0);
  };
  await run(0.1);
  return {
    description: `${loops.length} warm LibreOffice over UNO`,
    pid: process.pid,
    run,
    close: () => closeAll(loops.map(({ child }) => child)),
  };
}

async function closeAll(children: readonly ChildProcess[]): Promise<void> {
  await Promise.all(
    children.map(
      (child) =>
        new Promise((resolve) => {
          child.once("exit", resolve);
          child.stdin?.end();
        }),
    ),
  );
}

/** sharp in this process, with all cores, sharpening the image at `path`. */
export function startBareSharp(path: string): BareEngine {
  sharp.cache(false);
  const sharpen = async () =>
    sharp(await readFile(path))
      .sharpen({ sigma: 1 })
      .jpeg({ quality: 92 })
      .toBuffer();
  return {
    description: "sharp in a loop",
    pid: process.pid,
    run: (seconds) => countRuns(seconds, sharpen),
    close: async () => {},
  };
}
