import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Network } from "#lib/net/network.ts";
import { type ProxyLimits, startGuardedProxy } from "#lib/net/proxy.ts";
import {
  httpServer,
  rawResponseServer,
  rawServer,
  temporaryFolder,
  testNetwork,
} from "#tests/servers/net.ts";

async function proxyFor(network: Network, limits: Partial<ProxyLimits> = {}): Promise<string> {
  const path = join(temporaryFolder(), "proxy.sock");
  const proxy = await startGuardedProxy(path, network, limits);
  onTestFinished(() => proxy.close());
  return path;
}

interface ProxyResponse {
  readonly status: number | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

function sendRequest(socketPath: string, path: string, posted?: string) {
  return new Promise<ProxyResponse>((resolve, reject) => {
    const headers = { host: "page.test", "proxy-connection": "keep-alive", "x-mine": "1" };
    const method = posted === undefined ? "GET" : "POST";
    const request = httpRequest({ socketPath, path, headers, method }, async (response) => {
      let body = "";
      try {
        for await (const chunk of response) body += chunk;
        resolve({ status: response.statusCode, headers: response.headers, body });
      } catch (error) {
        reject(error);
      }
    });
    request.on("error", reject);
    request.end(posted);
  });
}

/** Writes `text` to the proxy and returns everything that it receives until the connection closes. */
function exchange(
  socketPath: string,
  text: string,
  onData?: (socket: Socket, all: string) => void,
) {
  return new Promise<string>((resolve) => {
    let all = "";
    const socket = connect(socketPath, () => socket.write(text));
    socket.on("data", (chunk) => {
      all += chunk;
      onData?.(socket, all);
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(all));
  });
}

const blockedUrls = [
  "http://127.0.0.1/",
  "http://localhost/",
  "http://169.254.169.254/latest/meta-data/",
  "http://[::1]/",
  "http://2130706433/",
  "http://8.8.8.8:22/",
  "ftp://8.8.8.8/",
  "file:///etc/passwd",
  "/relative",
];

describe("plain requests", () => {
  it("are forwarded without hop-by-hop headers", async () => {
    const host = await httpServer((request, response) => {
      response.setHeader("set-cookie", ["a=1", "b=2"]);
      response.setHeader("content-encoding", "identity");
      response.end(JSON.stringify([request.url, request.headers]));
    });
    const proxy = await proxyFor(testNetwork([host]));
    const response = await sendRequest(proxy, `http://${host}/x?y=1`);
    const [url, headers] = JSON.parse(response.body);
    expect(response.status).toBe(200);
    expect(response.headers["set-cookie"]).toEqual(["a=1", "b=2"]);
    expect(url).toBe("/x?y=1");
    expect(headers["x-mine"]).toBe("1");
    expect(headers["proxy-connection"]).toBeUndefined();
  });

  it("have bodies, and redirects are returned to the page", async () => {
    const host = await httpServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      response.writeHead(307, { location: "http://127.0.0.1/" }).end(body);
    });
    const proxy = await proxyFor(testNetwork([host]));
    const response = await sendRequest(proxy, `http://${host}/`, "posted");
    expect([response.status, response.body]).toEqual([307, "posted"]);
  });

  it.each(blockedUrls)("to %s are rejected", async (url) => {
    const proxy = await proxyFor(testNetwork([]));
    expect((await sendRequest(proxy, url)).status).toBe(403);
  });

  it("that fail get 502", async () => {
    const proxy = await proxyFor(testNetwork(["127.0.0.1:1"]));
    expect((await sendRequest(proxy, "http://127.0.0.1:1/")).status).toBe(502);
  });

  it("are cut off when the response is too large", async () => {
    const host = await httpServer((_request, response) => response.end(Buffer.alloc(500_000)));
    const proxy = await proxyFor(testNetwork([host]), { maxBytes: 100_000 });
    await expect(sendRequest(proxy, `http://${host}/`)).rejects.toThrow();
  });

  it("are cut off when they stall", async () => {
    const host = await rawResponseServer("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc", false);
    const proxy = await proxyFor(testNetwork([host]));
    await expect(sendRequest(proxy, `http://${host}/`)).rejects.toThrow();
  });

  it("beyond the limit get 503, and later ones are served again", async () => {
    const waiting: (() => void)[] = [];
    const host = await httpServer((_request, response) => waiting.push(() => response.end("late")));
    const proxy = await proxyFor(testNetwork([host], {}, { headersMs: 3000 }), { maxExchanges: 1 });
    const first = sendRequest(proxy, `http://${host}/`);
    await expect.poll(() => waiting.length).toBe(1);
    expect((await sendRequest(proxy, `http://${host}/`)).status).toBe(503);
    waiting[0]?.();
    expect((await first).body).toBe("late");
    const third = sendRequest(proxy, `http://${host}/`);
    await expect.poll(() => waiting.length).toBe(2);
    waiting[1]?.();
    expect((await third).status).toBe(200);
  });
});

describe("tunnels", () => {
  it("forward bytes in both directions", async () => {
    const host = await rawServer((socket) => {
      socket.on("data", (chunk) => socket.end(`echo ${chunk}`));
    });
    const proxy = await proxyFor(testNetwork([host]));
    const all = await exchange(
      proxy,
      `CONNECT ${host} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      (socket, text) => {
        if (text.endsWith("\r\n\r\n")) socket.write("ping");
        if (text.endsWith("echo ping")) socket.end();
      },
    );
    expect(all).toMatch(/^HTTP\/1\.1 200 [^\r]+\r\n\r\necho ping$/);
  });

  it.each([
    "127.0.0.1:443",
    "localhost:443",
    "[::1]:443",
    "[::ffff:127.0.0.1]:443",
    "169.254.169.254:80",
    "8.8.8.8:22",
    "8.8.8.8:25",
    "user@8.8.8.8:443",
    "nonsense",
  ])("to %s are rejected", async (authority) => {
    const proxy = await proxyFor(testNetwork([]));
    const all = await exchange(proxy, `CONNECT ${authority} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(all).toMatch(/^HTTP\/1\.1 40[03] /);
  });

  it("are closed at the byte limit, when idle, and at the time limit", async () => {
    const noisy = await rawServer((socket) => socket.write(Buffer.alloc(500_000, "x")));
    const quiet = await rawServer(() => {});
    const dripping = await rawServer((socket) => {
      const timer = setInterval(() => socket.write("x"), 50);
      socket.on("close", () => clearInterval(timer));
    });
    const proxy = await proxyFor(testNetwork([noisy, quiet, dripping]), {
      maxBytes: 100_000,
      totalMs: 1000,
    });
    for (const host of [noisy, quiet, dripping]) {
      const all = await exchange(proxy, `CONNECT ${host} HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(all.length).toBeLessThan(200_000);
    }
  });
});

describe("upgrades", () => {
  const upgrade = (url: string) =>
    `GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;

  it("are forwarded with their request", async () => {
    const host = await rawServer((socket) => {
      socket.once("data", (chunk) => socket.end(`HTTP/1.1 101 Ok\r\n\r\n${chunk}`));
    });
    const proxy = await proxyFor(testNetwork([host]));
    const all = await exchange(proxy, upgrade(`ws://${host}/chat?x`), (socket) => socket.end());
    expect(all).toMatch(
      /101 Ok[\s\S]*GET \/chat\?x HTTP\/1\.1\r\nHost: x\r\n[\s\S]*Upgrade: websocket/,
    );
  });

  it.each(["ws://127.0.0.1/", "ws://localhost/", "http://[::1]/", "/chat"])(
    "to %s are rejected",
    async (url) => {
      const proxy = await proxyFor(testNetwork([]));
      expect(await exchange(proxy, upgrade(url))).toMatch(/^HTTP\/1\.1 403 /);
    },
  );
});

it("closes all connections when it stops", async () => {
  const path = join(temporaryFolder(), "proxy.sock");
  const host = await rawServer(() => {});
  const proxy = await startGuardedProxy(path, testNetwork([host]));
  const tunnel = exchange(path, `CONNECT ${host} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await proxy.close();
  await tunnel;
  const again = await startGuardedProxy(path, testNetwork([]));
  await again.close();
});
