import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { JobError } from "#lib/errors.ts";
import { type FileRequest, fetchBytes, fetchToFile } from "#lib/net/fetch.ts";
import { maySucceedLater } from "#lib/net/fetch-errors.ts";
import { KeptConnections } from "#lib/net/kept-connections.ts";
import type { Network } from "#lib/net/network.ts";
import { isPinned } from "#lib/net/pinned-request.ts";
import type { InputRequest } from "#lib/operations/definition.ts";
import { pageInputHeaders } from "#lib/operations/fields/page/index.ts";
import {
  httpServer,
  httpsServer,
  rawResponseServer,
  rawServer,
  shortTimeLimits,
  temporaryFolder,
  testNetwork,
} from "#tests/servers/net.ts";

const neverAborted = new AbortController().signal;

async function fetchFrom(url: string, network: Network, more: Partial<FileRequest> = {}) {
  const path = join(temporaryFolder(), "fetched");
  const file = await fetchToFile(
    { url, path, maxBytes: 1e6, signal: neverAborted, ...more },
    network,
  );
  return { ...file, content: await readFile(path) };
}

async function failureOf(url: string, network: Network, more: Partial<FileRequest> = {}) {
  const error = await fetchFrom(url, network, more).then(
    () => new Error("the fetch succeeded"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof JobError)) throw error;
  expect(error.message).not.toMatch(/127\.|http:|localhost|example|ECONN|UND_/);
  return error;
}

describe("a file that can be fetched", () => {
  it("has its size, hash, type and name", async () => {
    const sent = Buffer.alloc(300_000, "mediamill ");
    const host = await httpServer((request, response) => {
      expect(request.headers["accept-encoding"]).toBe("identity");
      expect(request.headers.host).toBe(host);
      response.setHeader("content-type", 'Text/HTML; charset="ISO-8859-1"');
      response.end(sent);
    });
    const file = await fetchFrom(`http://${host}/a/report%20one.pdf?x=1#y`, testNetwork([host]));
    expect(file.content.equals(sent)).toBe(true);
    expect(file).toMatchObject({
      bytes: sent.length,
      sha256: createHash("sha256").update(sent).digest("hex"),
      contentType: "text/html",
      charset: "iso-8859-1",
      filename: "report one.pdf",
      finalUrl: `http://${host}/a/report%20one.pdf?x=1#y`,
    });
  });

  it.each([
    ["declared", true, [300_000]],
    ["not declared", false, [300_000]],
  ])("reports its size: %s", async (_, isDeclared, expected) => {
    const host = await httpServer((_request, response) => {
      if (isDeclared) response.setHeader("content-length", 300_000);
      response.end(Buffer.alloc(300_000), () => {});
      if (!isDeclared) response.flushHeaders();
    });
    const reported: number[] = [];
    await fetchFrom(`http://${host}/`, testNetwork([host]), {
      onSize: async (bytes) => void reported.push(bytes),
    });
    expect(reported).toEqual(expected);
  });

  it("reports the size of an undeclared stream in steps", async () => {
    const host = await httpServer((_request, response) => {
      for (let part = 0; part < 20; part++) response.write(Buffer.alloc(1e6));
      response.end();
    });
    const reported: number[] = [];
    await fetchFrom(`http://${host}/`, testNetwork([host]), {
      maxBytes: Number.POSITIVE_INFINITY,
      onSize: (bytes) => void reported.push(bytes),
    });
    expect(reported.length).toBe(3);
    expect(reported.at(-1)).toBe(20e6);
  });

  it("fails with the error of onSize", async () => {
    const host = await httpServer((_request, response) => response.end("hello"));
    const full = new JobError("usage_limit_reached", "The plan is full.");
    const onSize = () => Promise.reject(full);
    const failure = failureOf(`http://${host}/`, testNetwork([host]), { onSize });
    expect(await failure).toBe(full);
  });

  it.each([
    ['attachment; filename="a \\"b\\".pdf"', 'a "b".pdf'],
    ["attachment; filename=plain.txt", "plain.txt"],
    ["attachment; filename=\"x.txt\"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.txt", "日本.txt"],
    ["attachment; filename*=iso-8859-1''%A3%20rates.txt", "£ rates.txt"],
    ['inline; filename="../../etc/passwd"', "passwd"],
    ['inline; filename="C:\\\\x\\\\evil.exe"', "evil.exe"],
    ['inline; filename=".."', "seg.bin"],
    ["inline", "seg.bin"],
    [`inline; filename="${"n".repeat(400)}.docx"`, `${"n".repeat(191)}.docx`],
  ])("has the name in Content-Disposition: %s", async (disposition, filename) => {
    const host = await httpServer((_request, response) => {
      response.setHeader("content-disposition", disposition);
      response.end("x");
    });
    const file = await fetchFrom(`http://${host}/seg.bin`, testNetwork([host]));
    expect(file.filename).toBe(filename);
  });

  it.each([
    ["/", "file"],
    ["/%2e%2e%2fpasswd", "passwd"],
    ["/%ff%fe.bin", "%ff%fe.bin"],
    ["/a%00b%0d%0a.txt", "ab.txt"],
    ["/gpj.%E2%80%AEexe", "gpj.exe"],
  ])("has the name in its URL: %s", async (path, filename) => {
    const host = await httpServer((_request, response) => response.end("x"));
    expect((await fetchFrom(`http://${host}${path}`, testNetwork([host]))).filename).toBe(filename);
  });

  it("has the name in the requested URL if a redirect leads to a URL without one", async () => {
    const host = await httpServer((request, response) => {
      if (request.url === "/video.mp4") response.writeHead(302, { location: "/blob/1234" });
      response.end("x");
    });
    const file = await fetchFrom(`http://${host}/video.mp4`, testNetwork([host]));
    expect(file).toMatchObject({ filename: "video.mp4", finalUrl: `http://${host}/blob/1234` });
  });

  it("is fetched over TLS from a server with a valid certificate", async () => {
    const { host, ca } = await httpsServer((_request, response) => response.end("secret"));
    const file = await fetchFrom(`https://${host}/`, { ...testNetwork([host]), ca });
    expect(file.content.toString()).toBe("secret");
  });
});

describe("redirects", () => {
  it.each([301, 302, 303, 307, 308])("%i is followed", async (status) => {
    const host = await httpServer((request, response) => {
      if (request.url === "/b") return void response.end("here");
      response.writeHead(status, { location: "b" }).end();
    });
    const file = await fetchFrom(`http://${host}/a`, testNetwork([host]));
    expect(file.content.toString()).toBe("here");
  });

  it.each([
    [5, true],
    [6, false],
  ])("%i of them: %s", async (count, passes) => {
    const host = await httpServer((request, response) => {
      const hop = Number(request.url?.slice(1));
      if (hop === count) return void response.end("end");
      response.writeHead(302, { location: `/${hop + 1}` }).end();
    });
    const fetched = fetchFrom(`http://${host}/0`, testNetwork([host]));
    if (passes) expect((await fetched).bytes).toBe(3);
    else await expect(fetched).rejects.toMatchObject({ code: "fetch_failed" });
  });

  it.each([
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://10.0.0.1/",
    "http://2130706433/",
    "file:///etc/passwd",
    "ftp://example.com/",
    "javascript:alert(1)",
    "http://user:pass@example.com/",
    "//localhost/x",
    `http://example.com/${"a".repeat(3000)}`,
  ])("to %s are rejected", async (location) => {
    const host = await httpServer((_request, response) =>
      response.writeHead(302, { location }).end(),
    );
    const error = await failureOf(`http://${host}/`, testNetwork([host]));
    expect(error.code).toBe("address_refused");
  });

  it("to another port of loopback never reach it", async () => {
    let hits = 0;
    const inner = await httpServer((_request, response) => {
      hits++;
      response.end("secret");
    });
    const host = await httpServer((_request, response) =>
      response.writeHead(302, { location: `http://${inner}/` }).end(),
    );
    const error = await failureOf(`http://${host}/`, testNetwork([host]));
    expect([error.code, hits]).toEqual(["address_refused", 0]);
  });

  it("in a loop end", async () => {
    const host = await httpServer((_request, response) =>
      response.writeHead(302, { location: "/" }).end(),
    );
    expect((await failureOf(`http://${host}/`, testNetwork([host]))).code).toBe("fetch_failed");
  });

  it("without a target fail", async () => {
    const host = await httpServer((_request, response) => response.writeHead(302).end());
    expect((await failureOf(`http://${host}/`, testNetwork([host]))).code).toBe("fetch_failed");
  });

  it("from https to http are not followed", async () => {
    const plain = await httpServer((_request, response) => response.end("plain"));
    const { host, ca } = await httpsServer((_request, response) =>
      response.writeHead(302, { location: `http://${plain}/` }).end(),
    );
    const error = await failureOf(`https://${host}/`, { ...testNetwork([host, plain]), ca });
    expect(error).toMatchObject({
      code: "fetch_failed",
      message: expect.stringMatching(/https to http/),
    });
  });
});

describe("names", () => {
  it("that rebind are connected to the address that was checked", async () => {
    const host = await httpServer((_request, response) => response.end("here"));
    const name = `rebind.test:${host.split(":")[1]}`;
    const results = [["127.0.0.1"], ["127.0.0.2"]];
    const resolve = async () => results.shift() ?? [];
    expect((await fetchFrom(`http://${name}/`, testNetwork([name], { resolve }))).bytes).toBe(4);
    expect(results.length).toBe(1);
  });

  it("that resolve to a private address after a redirect are rejected", async () => {
    const host = await httpServer((_request, response) =>
      response.writeHead(302, { location: "http://rebind.test/" }).end(),
    );
    const name = `rebind.test:${host.split(":")[1]}`;
    const network = testNetwork([name], { resolve: async () => ["127.0.0.1"] });
    expect((await failureOf(`http://${name}/`, network)).code).toBe("address_refused");
  });

  it.each([
    ["127.0.0.1", false],
    ["10.0.0.1", false],
    [undefined, false],
    ["93.184.215.14", true],
    ["::ffff:93.184.215.14", true],
  ])(
    "are rejected unless the connection is to a checked address: %s, pinned %s",
    (remoteAddress, isGood) => {
      const url = new URL("http://example.com");
      const target = { url, port: 80, addresses: ["93.184.215.14"] };
      expect(isPinned({ remoteAddress }, target)).toBe(isGood);
    },
  );

  it("are resolved once for each redirect", async () => {
    let resolved = 0;
    const host = await httpServer((request, response) => {
      if (request.url === "/b") return void response.end("here");
      response.writeHead(302, { location: "/b" }).end();
    });
    const name = `name.test:${host.split(":")[1]}`;
    const resolve = async () => {
      resolved++;
      return ["127.0.0.1"];
    };
    await fetchFrom(`http://${name}/a`, testNetwork([name], { resolve }));
    expect(resolved).toBe(2);
  });

  it("with several addresses are reached at the one that responds", async () => {
    const host = await httpServer((_request, response) => response.end("here"));
    const name = `name.test:${host.split(":")[1]}`;
    const resolve = async () => ["::1", "127.0.0.1"];
    expect((await fetchFrom(`http://${name}/`, testNetwork([name], { resolve }))).bytes).toBe(4);
  });
});

it.each(["Content-Length: 0", "Connection: close"])(
  "a file without bytes, %s, is one if it may be empty",
  async (header) => {
    const host = await rawResponseServer(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n`);
    const file = await fetchFrom(`http://${host}/`, testNetwork([host]), { mayBeEmpty: true });
    expect([file.bytes, file.content.length]).toEqual([0, 0]);
  },
);

describe("responses that are no file", () => {
  it.each([204, 205, 206, 304, 400, 401, 403, 404, 410, 429, 500, 503])("%i", async (status) => {
    const host = await httpServer((_request, response) => response.writeHead(status).end());
    const error = await failureOf(`http://${host}/`, testNetwork([host]));
    expect(error).toMatchObject({
      code: "fetch_failed",
      message: `The server responded with status ${status}.`,
    });
  });

  it.each([
    ["no bytes", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "empty"],
    ["no bytes, undeclared", "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", "empty"],
    ["fewer than declared", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", "fetch_failed"],
    [
      "truncated chunks",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\na\r\nabc",
      "fetch_failed",
    ],
    ["a huge length", "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\nabc", "too_large"],
    ["an invalid length", "HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\nabc", "fetch_failed"],
    ["a negative length", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nabc", "fetch_failed"],
    [
      "two lengths",
      "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabcd",
      "fetch_failed",
    ],
    ["no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", "fetch_failed"],
    ["nothing", "", "fetch_failed"],
    [
      "encoded transfer",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
      "fetch_failed",
    ],
    [
      "1 MB of headers",
      `HTTP/1.1 200 OK\r\n${`X-Pad: ${"x".repeat(1000)}\r\n`.repeat(1000)}\r\n`,
      "fetch_failed",
    ],
  ])("%s", async (_, bytes, code) => {
    const host = await rawResponseServer(bytes);
    expect((await failureOf(`http://${host}/`, testNetwork([host]))).code).toBe(code);
  });

  it("more than declared: the declared length counts", async () => {
    const host = await rawResponseServer("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcdef");
    expect((await fetchFrom(`http://${host}/`, testNetwork([host]))).content.toString()).toBe(
      "abc",
    );
  });

  it("compressed without request", async () => {
    const host = await httpServer((_request, response) => {
      response.setHeader("content-encoding", "gzip");
      response.end(gzipSync("hello"));
    });
    const error = await failureOf(`http://${host}/`, testNetwork([host]));
    expect(error).toMatchObject({
      code: "fetch_failed",
      message: expect.stringMatching(/compressed/),
    });
  });

  it.each([
    ["declared", { "content-length": "2000000" }],
    ["never ending", {}],
  ])("too large: %s", async (_, headers) => {
    const host = await httpServer((_request, response) => {
      response.writeHead(200, headers);
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        response.once("drain", more);
      };
      more();
    });
    const error = await failureOf(`http://${host}/`, testNetwork([host]));
    expect(error).toMatchObject({ code: "too_large", message: expect.stringMatching(/1 MB/) });
  });

  it("with an untrusted certificate", async () => {
    const { host } = await httpsServer((_request, response) => response.end("x"));
    const error = await failureOf(`https://${host}/`, testNetwork([host]));
    expect(error).toMatchObject({
      code: "fetch_failed",
      message: expect.stringMatching(/certificate/),
    });
  });

  it("without TLS at an https URL", async () => {
    const host = await httpServer((_request, response) => response.end("x"));
    expect((await failureOf(`https://${host}/`, testNetwork([host]))).code).toBe("fetch_failed");
  });

  it("a closed port", async () => {
    const error = await failureOf("http://127.0.0.1:1/", testNetwork(["127.0.0.1:1"]));
    expect(error).toMatchObject({ code: "fetch_failed", message: "The server cannot be reached." });
  });
});

describe("slow servers", () => {
  it.each([
    ["never respond", ""],
    ["stop in the headers", "HTTP/1.1 200 OK\r\nContent-"],
    ["stop in the body", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc"],
  ])("that %s", async (_, bytes) => {
    const host = await rawResponseServer(bytes, false);
    const network = testNetwork([host], {}, shortTimeLimits);
    expect((await failureOf(`http://${host}/`, network)).code).toBe("fetch_timeout");
  });

  it.each([
    ["the body", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"],
    ["endless interim responses", ""],
  ])("that drip: %s", async (_, head) => {
    const host = await rawServer((socket) => {
      socket.write(head);
      const drip = head ? "x" : "HTTP/1.1 103 Early Hints\r\n\r\n";
      const timer = setInterval(() => socket.write(drip), 50);
      socket.on("close", () => clearInterval(timer));
    });
    // Without this limit, the fetch would never end.
    const network = testNetwork([host], {}, { totalMs: 700 });
    expect((await failureOf(`http://${host}/`, network)).code).toBe("fetch_timeout");
  });

  it("are disconnected at once when the signal is aborted, with its reason", async () => {
    const host = await rawResponseServer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", false);
    const reason = new Error("cancelled");
    const network = testNetwork([host]);
    const stopped = AbortSignal.timeout(100);
    const stop = new AbortController();
    stopped.addEventListener("abort", () => stop.abort(reason));
    const fetched = fetchFrom(`http://${host}/`, network, { signal: stop.signal });
    await expect(fetched).rejects.toBe(reason);
    await expect(fetchFrom(`http://${host}/`, network, { signal: stop.signal })).rejects.toBe(
      reason,
    );
  });

  it("do not include a slow reader on this side", async () => {
    const host = await httpServer((_request, response) => {
      for (let part = 0; part < 20; part++) response.write(Buffer.alloc(1e6));
      response.end();
    });
    const onSize = () => new Promise<void>((resolve) => setTimeout(resolve, 1000));
    const file = await fetchFrom(`http://${host}/`, testNetwork([host], {}, { chunkMs: 800 }), {
      maxBytes: 1e9,
      onSize,
    });
    expect(file.bytes).toBe(20e6);
  });
});

describe("a failure after which the same request may succeed", () => {
  it.each([
    [503, true],
    [500, true],
    [429, true],
    [501, false],
    [404, false],
  ])("status %i: %s", async (status, expected) => {
    const host = await httpServer((_request, response) => response.writeHead(status).end());
    const error = await failureOf(`http://${host}/`, testNetwork([host]));
    expect(maySucceedLater(error)).toBe(expected);
  });

  it("a lost connection, and a server that cannot be reached", async () => {
    const host = await httpServer((request) => request.socket.destroy());
    const lost = await failureOf(`http://${host}/`, testNetwork([host]));
    expect(maySucceedLater(lost)).toBe(true);
    const unreachable = await failureOf("http://127.0.0.1:9/", testNetwork(["127.0.0.1:9"]));
    expect(maySucceedLater(unreachable)).toBe(true);
  });

  it("not a refused address, or a file that is too large", async () => {
    expect(maySucceedLater(await failureOf("http://127.0.0.1:9/", testNetwork([])))).toBe(false);
    const host = await httpServer((_request, response) => response.end("x".repeat(100)));
    const tooLarge = await failureOf(`http://${host}/`, testNetwork([host]), { maxBytes: 10 });
    expect(maySucceedLater(tooLarge)).toBe(false);
  });
});

describe("headers of a request", () => {
  it("credentials are dropped on a change of host, cookies are sent to their own host", async () => {
    const received: Record<string, unknown>[] = [];
    const host = await httpServer((request, response) => {
      const { authorization, cookie, "user-agent": agent } = request.headers;
      received.push({ url: request.url, authorization, cookie, agent });
      const next = { "/a": `http://localhost:${port}/b`, "/b": `http://${host}/c` };
      const location = next[request.url as keyof typeof next];
      if (location) response.writeHead(302, { location }).end();
      else response.end("page");
    });
    const port = new URL(`http://${host}`).port;
    const network = testNetwork([host, `localhost:${port}`]);
    const params = {
      user_agent: "Reader/1.0",
      headers: { Authorization: "Bearer abc" },
      cookies: [
        { name: "own", value: "1" },
        { name: "other", value: "2", domain: "localhost", path: "/b" },
        { name: "folder", value: "3", path: "/folder" },
        { name: "safe", value: "4", secure: true },
      ],
    };
    const headers = (hop: InputRequest) => pageInputHeaders(params, hop);
    const file = await fetchFrom(`http://${host}/a`, network, { headers });
    const agent = "Reader/1.0";
    expect(received).toEqual([
      { url: "/a", authorization: "Bearer abc", cookie: "own=1", agent },
      { url: "/b", authorization: undefined, cookie: "other=2", agent },
      { url: "/c", authorization: undefined, cookie: "own=1", agent },
    ]);
    expect(file).toMatchObject({ requestedUrl: `http://${host}/a`, finalUrl: `http://${host}/c` });
  });
});

describe("kept connections", () => {
  const readFrom = async (url: string, network: Network) => {
    const chunks: Uint8Array[] = [];
    const request = { url, maxBytes: 1e6, signal: neverAborted };
    const { bytes } = await fetchBytes(request, network, (chunk) => void chunks.push(chunk));
    expect(bytes).toBe(Buffer.concat(chunks).length);
    return Buffer.concat(chunks).toString();
  };

  it("serve later requests to the same server, after the guard has checked it", async () => {
    const ports = new Set<number | undefined>();
    const host = await httpServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.end(request.url);
    });
    const connections = new KeptConnections();
    const network = { ...testNetwork([host]), connections };
    const paths = ["/a", "/b", "/c", "/d", "/e", "/f"];
    for (const path of paths) expect(await readFrom(`http://${host}${path}`, network)).toBe(path);
    // A connection is free shortly after the end of its last body.
    expect(ports.size).toBeLessThan(paths.length);
    const closed = { ...testNetwork([]), connections };
    await expect(readFrom(`http://${host}/g`, closed)).rejects.toMatchObject({
      code: "address_refused",
    });
    await connections.close();
  });

  it("are replaced if the server has closed them", async () => {
    const host = await httpServer((request, response) => {
      response.end(request.url);
      response.on("close", () => request.socket.destroy());
    });
    const connections = new KeptConnections();
    const network = { ...testNetwork([host]), connections };
    for (const path of ["/a", "/b", "/c"]) {
      expect(await readFrom(`http://${host}${path}`, network)).toBe(path);
    }
    await connections.close();
  });
});
