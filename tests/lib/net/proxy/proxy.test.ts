import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { describe, expect, it, onTestFinished } from "vitest";
import type { GuardRules } from "#lib/net/guard.ts";
import { Traffic, type TrafficLimits } from "#lib/net/limits/traffic.ts";
import { type Network, withTraffic } from "#lib/net/network.ts";
import { type ProxyLimits, startGuardedProxy } from "#lib/net/proxy/proxy.ts";
import { proxyFailureHeader } from "#lib/net/proxy/proxy-failure.ts";
import {
  httpServer,
  httpsServer,
  rawResponseServer,
  rawServer,
  shortTimeLimits,
  temporaryFolder,
  testNetwork,
} from "#tests/servers/net.ts";

async function proxyFor(network: Network, limits: Partial<ProxyLimits> = {}): Promise<string> {
  const path = join(temporaryFolder(), "proxy.sock");
  const proxy = await startGuardedProxy(path, limits);
  proxy.open(network);
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
    const request = httpRequest(
      { socketPath, path, headers, method, agent: false },
      async (response) => {
        let body = "";
        try {
          for await (const chunk of response) body += chunk;
          resolve({ status: response.statusCode, headers: response.headers, body });
        } catch (error) {
          reject(error);
        }
      },
    );
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

/** Sends all requests through one encrypted connection, in a tunnel of the proxy. */
async function tunnelAgent(socketPath: string, host: string, ca: string): Promise<HttpsAgent> {
  const connecting = httpRequest({ socketPath, method: "CONNECT", path: host }).end();
  const [, socket] = (await once(connecting, "connect")) as [unknown, Socket]; // Node's event
  const agent = new HttpsAgent({ keepAlive: true, maxSockets: 1 });
  agent.createConnection = () => connectTls({ socket, ca, host: "127.0.0.1" });
  onTestFinished(() => void socket.destroy());
  return agent;
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
    const proxy = await proxyFor(testNetwork([host], {}, shortTimeLimits));
    await expect(sendRequest(proxy, `http://${host}/`)).rejects.toThrow();
  });

  it("beyond the limit get 503, and later ones are served again", async () => {
    const waiting: (() => void)[] = [];
    const host = await httpServer((_request, response) => waiting.push(() => response.end("late")));
    const proxy = await proxyFor(testNetwork([host]), { maxExchanges: 1 });
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
    const open = (limits: Partial<Network["limits"]>, totalMs = 60_000) =>
      proxyFor(testNetwork([noisy, quiet, dripping], {}, limits), { maxBytes: 100_000, totalMs });
    const attempts = [
      [noisy, await open({})],
      [quiet, await open({ chunkMs: shortTimeLimits.chunkMs })],
      [dripping, await open({}, 1000)],
    ] as const;
    for (const [host, proxy] of attempts) {
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

describe("a proxy that is shut", () => {
  it("rejects requests, tunnels and upgrades until it is opened", async () => {
    let requests = 0;
    const host = await httpServer((_request, response) => {
      requests++;
      response.end();
    });
    const path = join(temporaryFolder(), "proxy.sock");
    const proxy = await startGuardedProxy(path);
    onTestFinished(() => proxy.close());
    const expectShut = async () => {
      const response = await sendRequest(path, `http://${host}/`);
      expect(response).toMatchObject({ status: 403, headers: { [proxyFailureHeader]: "closed" } });
      const connect = `CONNECT ${host} HTTP/1.1\r\nHost: x\r\n\r\n`;
      expect(await exchange(path, connect)).toMatch(/^HTTP\/1\.1 403 /);
      const upgrade = `GET ws://${host}/ HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
      expect(await exchange(path, upgrade)).toMatch(/^HTTP\/1\.1 403 /);
    };
    await expectShut();
    proxy.open(testNetwork([host]));
    expect((await sendRequest(path, `http://${host}/`)).status).toBe(200);
    proxy.shut();
    await expectShut();
    expect(requests).toBe(1);
  });

  it("closes the connections of the job before", async () => {
    const host = await rawServer(() => {});
    const path = join(temporaryFolder(), "proxy.sock");
    const proxy = await startGuardedProxy(path);
    onTestFinished(() => proxy.close());
    proxy.open(testNetwork([host]));
    const { promise: connected, resolve } = Promise.withResolvers<void>();
    const tunnel = exchange(path, `CONNECT ${host} HTTP/1.1\r\nHost: x\r\n\r\n`, () => resolve());
    await connected;
    proxy.shut();
    proxy.open(testNetwork([host]));
    await tunnel;
  });
});

describe("the traffic of a network", () => {
  const limited = (
    host: string,
    limits: Partial<TrafficLimits>,
    rules: Partial<GuardRules> = {},
  ) => {
    const traffic = new Traffic({ requests: 10, bytes: 100_000, ...limits });
    return { traffic, network: withTraffic(testNetwork([host], rules), traffic) };
  };

  it("is counted, and requests above the limit get 429", async () => {
    const host = await httpServer((_request, response) => void response.end("12345"));
    const { traffic, network } = limited(host, { requests: 3 });
    const proxy = await proxyFor(network);
    for (let count = 0; count < 3; count++) await sendRequest(proxy, `http://${host}/`, "123");
    expect(traffic).toMatchObject({ bytes: 24, exceeded: undefined });
    const fourth = await sendRequest(proxy, `http://${host}/`);
    expect(fourth).toMatchObject({ status: 429, headers: { [proxyFailureHeader]: "requests" } });
    const connect = `CONNECT ${host} HTTP/1.1\r\nHost: x\r\n\r\n`;
    expect(await exchange(proxy, connect)).toMatch(/^HTTP\/1\.1 429 /);
    expect(traffic).toMatchObject({ bytes: 24, exceeded: "requests" });
  });

  it("has the requests whose host does not exist, so that a page cannot ask for any number of names", async () => {
    const resolved: string[] = [];
    const resolve = async (name: string) => {
      resolved.push(name);
      return [];
    };
    const { traffic, network } = limited("127.0.0.1:1", { requests: 3 }, { resolve });
    const proxy = await proxyFor(network);
    for (let count = 0; count < 6; count++) await sendRequest(proxy, `http://${count}.example/`);
    expect(resolved).toEqual(["0.example", "1.example", "2.example"]);
    expect(traffic.exceeded).toBe("requests");
  });

  it("ends responses at the limit of bytes, of all together", async () => {
    const host = await httpServer((_request, response) => void response.end(Buffer.alloc(60_000)));
    const { traffic, network } = limited(host, { bytes: 100_000 });
    const proxy = await proxyFor(network);
    expect((await sendRequest(proxy, `http://${host}/`)).status).toBe(200);
    await expect(sendRequest(proxy, `http://${host}/`)).rejects.toThrow();
    expect(traffic).toMatchObject({ bytes: 100_000, exceeded: "bytes" });
    const third = await sendRequest(proxy, `http://${host}/`);
    expect(third).toMatchObject({ status: 429, headers: { [proxyFailureHeader]: "bytes" } });
  });

  it("ends request bodies at the limit of bytes", async () => {
    let received = 0;
    const host = await httpServer(async (request, response) => {
      for await (const chunk of request) received += chunk.length;
      response.end();
    });
    const { traffic, network } = limited(host, { bytes: 100_000 });
    const proxy = await proxyFor(network);
    const sent = await sendRequest(proxy, `http://${host}/`, "x".repeat(500_000)).catch(() => {});
    expect(sent?.status).not.toBe(200);
    expect(received).toBeLessThanOrEqual(100_000);
    expect(traffic.exceeded).toBe("bytes");
  });

  it("of a tunnel ends at the limit of bytes", async () => {
    const host = await rawServer((socket) => socket.end(Buffer.alloc(500_000, "x")));
    const { traffic, network } = limited(host, { bytes: 100_000 });
    const proxy = await proxyFor(network);
    const all = await exchange(proxy, `CONNECT ${host} HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(all.length).toBeLessThan(101_000);
    expect(traffic.exceeded).toBe("bytes");
  });

  it("has each request of an encrypted connection", async () => {
    let requests = 0;
    const { host, ca } = await httpsServer((_request, response) => {
      requests++;
      response.end("ok");
    });
    const { traffic, network } = limited(host, { requests: 20 });
    const proxy = await proxyFor(network);
    const agent = await tunnelAgent(proxy, host, ca);
    const get = () =>
      new Promise<number | undefined>((resolve, reject) => {
        const request = httpsRequest(`https://${host}/`, { agent, ca }, (response) => {
          response.resume().on("end", () => resolve(response.statusCode));
        });
        request.on("error", reject).end();
      });
    for (let count = 0; count < 15; count++) expect(await get()).toBe(200);
    expect(traffic.exceeded).toBeUndefined();
    await expect(Promise.all(Array.from({ length: 10 }, get))).rejects.toThrow();
    expect(traffic.exceeded).toBe("requests");
    expect(requests).toBeLessThanOrEqual(24);
  });
});

it("closes all connections when it stops", async () => {
  const path = join(temporaryFolder(), "proxy.sock");
  const host = await rawServer(() => {});
  const proxy = await startGuardedProxy(path);
  proxy.open(testNetwork([host]));
  const tunnel = exchange(path, `CONNECT ${host} HTTP/1.1\r\nHost: x\r\n\r\n`);
  await new Promise((resolve) => setTimeout(resolve, 50));
  await proxy.close();
  await tunnel;
  const again = await startGuardedProxy(path);
  await again.close();
});
