import { mkdtemp, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { closeChromium, type PrintRequest, printDocument } from "#lib/engines/chromium/chromium.ts";
import { env } from "#lib/env.ts";
import { networkFor } from "#lib/net/network.ts";
import { readPdf } from "#tests/samples/pdf/pdf.ts";
import { rawServer } from "#tests/servers/net.ts";

let folder: string;
let silentHost: string;
const silent = createServer(() => {});

beforeAll(async () => {
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  // A TCP server that listens has an address of this shape.
  const { port } = silent.address() as AddressInfo;
  silentHost = `http://127.0.0.1:${port}`;
  // Read when the browser's proxy starts, with the first page.
  env.FETCH_ALLOW.push(`127.0.0.1:${port}`);
  folder = await mkdtemp(join(tmpdir(), "mediamill-pages-"));
});

afterAll(async () => {
  await closeChromium();
  silent.closeAllConnections();
  silent.close();
  await rm(folder, { recursive: true });
});

const fast = { loadMs: 600, quietMs: 300, totalMs: 3000 };

/** The limits for pages that must be printed, even if the machine is busy. */
const generous = { ...fast, totalMs: 30_000 };

/** How many pages were printed, each to a file of its own. */
let pages = 0;

async function print(html: string, request: Partial<PrintRequest> = {}): Promise<string> {
  const output = join(folder, `page-${++pages}.pdf`);
  await printDocument({
    document: {
      url: "http://upload.invalid/",
      body: Buffer.from(html),
      contentType: "text/html; charset=utf-8",
    },
    paper: {
      width: 8.27,
      height: 11.69,
      margins: { top: 0.4, right: 0.4, bottom: 0.4, left: 0.4 },
    },
    options: {},
    output,
    network: networkFor("pages"),
    signal: new AbortController().signal,
    ...request,
  });
  return readPdf(output).text;
}

describe("a page that does not load in time", () => {
  it.each([
    ["stylesheet", (url: string) => `<link rel=stylesheet href="${url}">`],
    ["script", (url: string) => `<script src="${url}"></script>`],
    ["image", (url: string) => `<img src="${url}">`],
    ["frame", (url: string) => `<iframe src="${url}"></iframe>`],
  ])("is printed without a %s that never loads", async (_, element) => {
    const html = `<p>still</p>${element(`${silentHost}/a`)}<p>done</p>`;
    await expect(print(html, { timeouts: generous })).resolves.toBe("still done");
  });

  it("is printed up to a script that runs too long", async () => {
    const script = `const end = Date.now() + 1500; while (Date.now() < end);`;
    const html = `<p>still</p><script>${script}</script>`;
    await expect(print(html, { timeouts: generous })).resolves.toBe("still");
  });

  it("is printed in its current state if it sends requests without end", async () => {
    const html = `<p>still</p><script>onload = () => setInterval(() => fetch("/" + Math.random()).catch(() => {}), 5)</script>`;
    await expect(print(html, { timeouts: generous })).resolves.toBe("still");
  });

  it.each([
    ["a loop", "for (;;);"],
    ["a loop of dialogs", "for (;;) alert(1)"],
    ["a loop of microtasks", "(async () => { for (;;) await 0 })()"],
  ])("is stopped if its script is %s, and the next page is printed", async (_, script) => {
    await expect(print(`<script>${script}</script>`, { timeouts: fast })).rejects.toMatchObject({
      name: "JobError",
      code: "timed_out",
      message: "The page was not ready within 3 seconds.",
    });
    await expect(print("<p>next</p>")).resolves.toBe("next");
  });
});

describe("a page above a limit", () => {
  it("fails if it is too high", async () => {
    await expect(print(`<div style="height:20000000px">x</div>`)).rejects.toMatchObject({
      code: "too_complex",
    });
  });

  it("prints a thousand pages", async () => {
    await expect(print(`<div style="height:1000000px">x</div>`)).resolves.toBe("x");
  });

  it("fails if it uses too much memory, and the next page is printed", async () => {
    const script = `const all = []; for (let i = 0; i < 50; i++) all.push(new Uint8Array(1e8).fill(1))`;
    await expect(print(`<script>${script}</script>`)).rejects.toMatchObject({
      code: "out_of_memory",
    });
    await expect(print("<p>next</p>")).resolves.toBe("next");
  });

  it("cannot crash its renderer with a chrome:// URL", async () => {
    const html = `<script>location.href = "chrome://crash"</script><p>still</p>`;
    await expect(print(html)).resolves.toBe("still");
  });
});

describe("a caller that aborts", () => {
  it("stops the page at once", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 300);
    await expect(
      print("<script>for (;;);</script>", { signal: stop.signal }),
    ).rejects.toMatchObject({
      name: "EngineError",
      aborted: true,
    });
    await expect(print("<p>next</p>")).resolves.toBe("next");
  });

  // The request gets no response: only the exit of the browser ends the time of waiting for it.
  it("does not wait for the requests of a page that has loaded", { timeout: 30_000 }, async () => {
    const stop = new AbortController();
    const timeouts = { loadMs: 90_000, quietMs: 90_000, totalMs: 90_000 };
    silent.once("request", () => setTimeout(() => stop.abort(), 300));
    const html = `<script>fetch("${silentHost}/a")</script>`;
    await expect(print(html, { timeouts, signal: stop.signal })).rejects.toMatchObject({
      name: "EngineError",
      aborted: true,
    });
  });

  it("before the start starts nothing", async () => {
    const signal = AbortSignal.abort();
    await expect(print("<p>x</p>", { signal })).rejects.toMatchObject({ aborted: true });
  });
});

describe("the sandbox", () => {
  it("prevents connections to loopback", async () => {
    let connections = 0;
    const host = await rawServer(() => connections++);
    await print(
      `<p>x</p><img src="http://${host}/"><script>new WebSocket("ws://${host}/")</script>`,
    );
    expect(connections).toBe(0);
  });
});

it("writes a complete file", async () => {
  await print("<p>x</p>");
  expect((await stat(join(folder, `page-${pages}.pdf`))).size).toBeGreaterThan(1000);
});
