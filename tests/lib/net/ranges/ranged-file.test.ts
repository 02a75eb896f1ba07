import { createHash, randomBytes } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { JobError } from "#lib/errors.ts";
import type { FileRequest } from "#lib/net/fetch.ts";
import type { Network } from "#lib/net/network.ts";
import { RangesUnusableError } from "#lib/net/ranges/content-range.ts";
import { type OpenedFile, openOrFetch, saveOpened } from "#lib/net/ranges/open-file.ts";
import { RangedFile } from "#lib/net/ranges/ranged-file.ts";
import { shortTimeLimits, temporaryFolder, testNetwork } from "#tests/servers/net.ts";
import { type RangeBehavior, RangeHost } from "#tests/servers/range-host.ts";

const neverAborted = new AbortController().signal;
const mebibyte = 2 ** 20;
const content = randomBytes(3 * mebibyte);
const sha256 = createHash("sha256").update(content).digest("hex");

let host: RangeHost;
let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
  writeFileSync(join(folder, "file"), content);
  host = await RangeHost.start();
  onTestFinished(() => host.close());
});

const network = () => testNetwork([`127.0.0.1:${host.port}`]);

function requestTo(behave?: RangeBehavior, more: Partial<FileRequest> = {}): FileRequest {
  const url = host.serve(join(folder, "file"), behave);
  const path = join(folder, "fetched");
  return { url, path, maxBytes: 1e8, signal: neverAborted, ...more };
}

async function open(behave?: RangeBehavior): Promise<OpenedFile> {
  const opened = await openOrFetch(requestTo(behave), network());
  if (!("head" in opened)) throw new Error("the file was fetched as a whole");
  return opened;
}

/** Reads a range of an opened file. */
async function readRange(
  opened: OpenedFile,
  start: number,
  end: number,
  limits: Partial<Network["limits"]> = {},
): Promise<Buffer> {
  const file = new RangedFile(opened, { ...network(), limits: { ...network().limits, ...limits } });
  onTestFinished(() => file.close());
  return collect(file.read(start, end, neverAborted));
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const collected: Uint8Array[] = [];
  for await (const chunk of chunks) collected.push(chunk);
  return Buffer.concat(collected);
}

async function errorOf(work: Promise<unknown>): Promise<Error> {
  const error = await work.then(
    () => new Error("it succeeded"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Error)) throw error;
  if (error instanceof JobError) expect(error.message).not.toMatch(/127\.|http:|ECONN|UND_/);
  return error;
}

/** Behaves correctly for the first request, and like `behave` for the others. */
const afterFirst =
  (behave: RangeBehavior): RangeBehavior =>
  (request) =>
    request.index === 0 || behave(request);

describe("a server with ranges", () => {
  it("is asked for the first MiB, and then for what is read", async () => {
    const opened = await open();
    expect(opened.head.equals(content.subarray(0, mebibyte))).toBe(true);
    expect(opened).toMatchObject({
      bytes: content.length,
      etag: '"one"',
      contentType: "video/mp4",
      filename: "video.mp4",
    });
    const part = await readRange(opened, 2_000_000, 2_100_000);
    expect(part.equals(content.subarray(2_000_000, 2_100_000))).toBe(true);
    expect(host.ranges).toEqual(["bytes=0-1048575", "bytes=2000000-2099999"]);
    expect(host.sentBytes).toBeLessThan(mebibyte + 110_000);
  });

  it("uses connections again", async () => {
    const opened = await open();
    const ports = new Set<number | undefined>();
    host.behave = ({ request }) => {
      ports.add(request.socket.remotePort);
      return true;
    };
    const file = new RangedFile(opened, network());
    onTestFinished(() => file.close());
    for (let start = 0; start < 2e6; start += 2e5) {
      await collect(file.read(start, start + 1000, neverAborted));
    }
    // A second one is opened if the first is not free yet.
    expect(ports.size).toBeLessThanOrEqual(2);
  });

  it("fetches the rest of a file that is needed as a whole", async () => {
    const request = requestTo();
    const opened = await open();
    const saved = await saveOpened(opened, request, network());
    expect(saved).toMatchObject({ bytes: content.length, sha256, filename: "video.mp4" });
    expect(readFileSync(request.path).equals(content)).toBe(true);
    expect(host.ranges).toEqual(["bytes=0-1048575", "bytes=1048576-3145727"]);
  });

  it("completes a file of less than a MiB with one request", async () => {
    writeFileSync(join(folder, "file"), "small");
    const request = requestTo();
    expect(await openOrFetch(request, network())).toMatchObject({
      bytes: 5,
      filename: "video.mp4",
    });
    expect(readFileSync(request.path, "utf8")).toBe("small");
    expect(host.ranges).toEqual(["bytes=0-1048575"]);
  });

  it.each([
    ["a strong ETag", { etag: '"a"' }, '"a"'],
    ["a weak ETag, which may not be used", { etag: 'W/"a"' }, undefined],
    ["the date next to a weak ETag", { etag: 'W/"a"', "last-modified": "then" }, "then"],
    ["an invalid ETag", { etag: "a" }, undefined],
  ])("If-Range: %s", async (_, headers, expected) => {
    const conditions: unknown[] = [];
    const opened = await open(({ request, send }) => {
      conditions.push(request.headers["if-range"]);
      send(headers);
      return undefined;
    });
    await readRange(opened, 5, 9);
    expect(conditions).toEqual([undefined, expected]);
  });

  it("reports the size before the file is read, and rejects one that is too large", async () => {
    const sizes: number[] = [];
    const onSize = (bytes: number) => void sizes.push(bytes);
    await openOrFetch(requestTo(undefined, { onSize }), network());
    expect(sizes).toEqual([content.length]);
    const tooLarge = openOrFetch(requestTo(undefined, { maxBytes: 3e6 }), network());
    expect(await errorOf(tooLarge)).toMatchObject({ code: "too_large" });
  });

  it("reads on after redirects, and again from the first URL when the last one expires", async () => {
    const paths: (string | undefined)[] = [];
    const opened = await open(({ request, response }) => {
      paths.push(request.url);
      if (request.url !== "/video.mp4") return true;
      response.writeHead(302, { location: "/signed-1" }).end();
      return undefined;
    });
    expect(opened.finalUrl).toMatch(/signed-1$/);
    host.behave = ({ request, response }) => {
      paths.push(request.url);
      if (request.url === "/signed-2") return true;
      if (request.url === "/signed-1") response.writeHead(403).end();
      else response.writeHead(302, { location: "/signed-2" }).end();
      return undefined;
    };
    expect((await readRange(opened, 7, 12)).equals(content.subarray(7, 12))).toBe(true);
    const expired = ["/signed-1", "/video.mp4", "/signed-2", "/signed-2"];
    expect(paths).toEqual(["/video.mp4", "/signed-1", ...expired]);
  });

  it("checks the URLs of later redirects, too", async () => {
    const opened = await open();
    host.behave = ({ response }) =>
      void response.writeHead(302, { location: "http://169.254.169.254/" }).end();
    expect(await errorOf(readRange(opened, 0, 9))).toMatchObject({ code: "address_refused" });
  });
});

describe("a server without usable ranges: the file is fetched as a whole", () => {
  const first = `bytes 0-1048575/${content.length}`;
  it.each<[string, RangeBehavior, number]>([
    ["it ignores the range", ({ response }) => void response.writeHead(200).end(content), 1],
    [
      "it rejects the range",
      ({ request, response }) =>
        request.headers.range ? void response.writeHead(416).end() : true,
      2,
    ],
    ...[
      ["another range", { "content-range": `bytes 1-1048576/${content.length}` }],
      ["no total", { "content-range": "bytes 0-1048575/*" }],
      ["a total that is too small", { "content-range": "bytes 0-1048575/9" }],
      ["no Content-Range", { "content-range": "" }],
      ["several ranges", { "content-type": "multipart/byteranges", "content-range": "" }],
      ["a range that is compressed", { "content-encoding": "gzip", "content-range": first }],
      ["a range of another length", { "content-range": `bytes 0-99/${content.length}` }],
    ].map(([name, headers]): [string, RangeBehavior, number] => [
      `it sends ${name}`,
      ({ index, send }) => (index > 0 ? true : void send(headers as Record<string, string>)),
      2,
    ]),
    [
      "it sends less than declared in chunks",
      ({ index, response, headers }) => {
        if (index > 0) return true;
        const { "content-length": _, ...rest } = headers;
        response.writeHead(206, rest).end(content.subarray(0, 1000));
        return undefined;
      },
      2,
    ],
    [
      "it sends more than declared in chunks",
      ({ index, response, headers }) => {
        if (index > 0) return true;
        const { "content-length": _, ...rest } = headers;
        response.writeHead(206, rest).end(content);
        return undefined;
      },
      2,
    ],
  ])("%s", async (_, behave, requests) => {
    const request = requestTo(behave);
    expect(await openOrFetch(request, network())).toMatchObject({ bytes: content.length, sha256 });
    expect(readFileSync(request.path).equals(content)).toBe(true);
    expect(host.ranges).toHaveLength(requests);
  });

  it("also if that shows only later", async () => {
    const request = requestTo();
    const opened = await open(
      afterFirst(({ response }) => void response.writeHead(200).end(content)),
    );
    host.behave = ({ index, response }) =>
      index === 0 || void response.writeHead(200, { etag: '"one"' }).end(content);
    expect(await saveOpened(opened, request, network())).toMatchObject({ sha256 });
    expect(readFileSync(request.path).equals(content)).toBe(true);
  });
});

describe("a server that fails while a file is read", () => {
  const changed = "The file at the URL changed while it was read.";
  const lies = (headers: Record<string, string | number>) =>
    afterFirst(({ send }) => void send(headers));
  it.each<[string, RangeBehavior, string | typeof RangesUnusableError]>([
    ["another ETag", lies({ etag: '"two"' }), changed],
    ["no ETag", lies({ etag: "" }), changed],
    [
      "the whole file, which has changed",
      afterFirst(({ response }) => void response.writeHead(200, { etag: '"two"' }).end(content)),
      changed,
    ],
    [
      "the whole file, unchanged",
      afterFirst(({ response }) => void response.writeHead(200, { etag: '"one"' }).end(content)),
      RangesUnusableError,
    ],
    [
      "another total",
      lies({ "content-range": "bytes 2000000-2099999/9000000" }),
      RangesUnusableError,
    ],
    ["another range", lies({ "content-range": "bytes 0-99999/3145728" }), RangesUnusableError],
    ["no total", lies({ "content-range": "bytes 2000000-2099999/*" }), RangesUnusableError],
    ["a compressed range", lies({ "content-encoding": "br" }), RangesUnusableError],
    ["416", afterFirst(({ response }) => void response.writeHead(416).end()), RangesUnusableError],
    [
      "more bytes than declared",
      afterFirst(({ response, headers }) => {
        const { "content-length": _, ...rest } = headers;
        response.writeHead(206, rest).end(content.subarray(0, 200_000));
        return undefined;
      }),
      RangesUnusableError,
    ],
    [
      "status 404",
      afterFirst(({ response }) => void response.writeHead(404).end()),
      "The server responded with status 404.",
    ],
    [
      "status 503, every time",
      afterFirst(({ response }) => void response.writeHead(503).end()),
      "The server responded with status 503.",
    ],
    [
      "nothing",
      afterFirst(({ response }) => void response.destroy()),
      "The server closed the connection before the end of the file.",
    ],
    [
      "a compressed body",
      afterFirst(
        ({ response, headers }) =>
          void response
            .writeHead(206, { ...headers, "content-encoding": "gzip" })
            .end(gzipSync(content)),
      ),
      RangesUnusableError,
    ],
  ])("it sends %s", async (_, behave, expected) => {
    const error = await errorOf(readRange(await open(behave), 2_000_000, 2_100_000));
    if (typeof expected !== "string") return expect(error).toBeInstanceOf(expected);
    expect(error).toBeInstanceOf(JobError);
    expect(error.message).toBe(expected);
  });

  it("it sends no response", async () => {
    const opened = await open(afterFirst(() => undefined));
    const error = await errorOf(readRange(opened, 2_000_000, 2_100_000, shortTimeLimits));
    expect(error).toBeInstanceOf(JobError);
    expect(error.message).toBe("The server took too long to respond.");
  });

  it("a connection that breaks is replaced, and reading continues where it ended", async () => {
    const opened = await open(({ index, response, headers, start, content: read }) => {
      if (index === 0 || index > 2) return true;
      response.writeHead(206, headers);
      read(start, start + 30_000)
        .pipe(response, { end: false })
        .on("unpipe", () => {
          setTimeout(() => response.destroy(), 20);
        });
      return undefined;
    });
    const part = await readRange(opened, 2_000_000, 2_100_000);
    expect(part.equals(content.subarray(2_000_000, 2_100_000))).toBe(true);
    expect(host.ranges.slice(1)).toEqual([
      "bytes=2000000-2099999",
      "bytes=2030000-2099999",
      "bytes=2060000-2099999",
    ]);
  });

  it("a server that sends shorter ranges is asked for the rest", async () => {
    const opened = await open();
    host.behave = ({ start, end, bytes, response, headers, content: read }) => {
      const short = Math.min(end, start + 40_000);
      const range = { "content-range": `bytes ${start}-${short - 1}/${bytes}` };
      response.writeHead(206, { ...headers, "content-length": short - start, ...range });
      read(start, short).pipe(response);
      return undefined;
    };
    const part = await readRange(opened, 100, 100_100);
    expect(part.equals(content.subarray(100, 100_100))).toBe(true);
  });

  it("an aborted signal ends reading with its reason", async () => {
    const opened = await open(afterFirst(() => undefined));
    const file = new RangedFile(opened, network());
    onTestFinished(() => file.close());
    const reading = collect(file.read(0, 9, AbortSignal.timeout(50)));
    expect(await errorOf(reading)).toMatchObject({ name: "TimeoutError" });
  });
});
