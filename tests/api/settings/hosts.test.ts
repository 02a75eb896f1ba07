import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { text } from "node:stream/consumers";
import { describe, expect, inject, it } from "vitest";

/** The `Host` header of requests: only the service's own hosts get a response. */

const { url, apiKey } = inject("service");
const port = new URL(url).port;

interface Sent {
  readonly method?: "GET" | "POST";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request with any `Host`, which `fetch` does not allow. */
async function send(host: string, path: string, { method = "GET", headers, body }: Sent = {}) {
  const options = { host: "127.0.0.1", port, path, method, headers: { ...headers, host } };
  const sent = request(options).end(body);
  const [response] = await once(sent, "response");
  return {
    status: Number(response.statusCode),
    headers: response.headers as Record<string, string | undefined>,
    body: await text(response),
  };
}

const foreignHosts = ["attacker.example", `attacker.example:${port}`, "203.0.113.9", "proxy.test"];

describe.each(foreignHosts)("a request to the host %s", (host) => {
  it.each(["/v1/operations", "/openapi.json", "/healthz", "/readyz", "/metrics"])(
    "gets 421 in the error format for %s",
    async (path) => {
      const response = await send(host, path, { headers: { "x-api-key": apiKey } });
      expect(response.status).toBe(421);
      expect(response.headers["x-error-code"]).toBe("invalid_request");
      expect(response.headers["x-request-id"]).toMatch(/^req_/);
      expect(JSON.parse(response.body)).toEqual({
        error: expect.stringMatching(/^The `Host` header must .*\.$/),
      });
    },
  );

  it.each(["/", "/sign-up", "/dashboard", "/api/auth/csrf", "/_next/static/x.js"])(
    "gets a page with 421 for %s",
    async (path) => {
      const response = await send(host, path);
      expect(response.status).toBe(421);
      expect(response.headers["content-type"]).toBe("text/html; charset=utf-8");
      expect(response.headers["set-cookie"]).toBeUndefined();
      expect(response.body).toContain("ALLOWED_HOSTS");
      expect(response.body).not.toContain(host);
    },
  );
});

describe("a page whose domain name points to the service", () => {
  const host = `rebound.example:${port}`;
  const headers = {
    origin: `http://${host}`,
    "sec-fetch-site": "same-origin",
    "x-forwarded-host": `localhost:${port}`,
  };

  it("can neither run an operation nor sign up", async () => {
    const json = { ...headers, "content-type": "application/json" };
    const run = await send(host, "/try/run/pipeline/file-inspect", {
      method: "POST",
      headers: json,
      body: JSON.stringify({ input: "https://example.com/" }),
    });
    expect([run.status, run.headers["set-cookie"]]).toEqual([421, undefined]);
    const email = `${randomBytes(5).toString("hex")}@example.com`;
    const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
    const body = String(new URLSearchParams({ email, password: "purple lighthouse 9" }));
    const signUp = await send(host, "/sign-up", { method: "POST", headers: form, body });
    expect([signUp.status, signUp.headers["set-cookie"]]).toEqual([421, undefined]);
  });

  it("is another site, even when its requests name an allowed host", async () => {
    const json = { ...headers, "content-type": "application/json" };
    for (const path of ["/try/run/pipeline/file-inspect", "/api/auth/signout"]) {
      const response = await send(`localhost:${port}`, path, {
        method: "POST",
        headers: json,
        body: "{}",
      });
      expect(response.status, path).toBe(403);
    }
  });
});

describe("a request that names two hosts", () => {
  /** Sends lines that no HTTP library sends. */
  async function sendLines(...lines: string[]): Promise<string> {
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(`${[...lines, "Connection: close"].join("\r\n")}\r\n\r\n`);
    return await text(socket);
  }

  const own = `Host: localhost:${port}`;
  const foreign = "Host: attacker.example";

  it.each(["/healthz", "/v1/operations", "/sign-in"])(
    "in two headers gets 400 for %s",
    async (path) => {
      for (const hosts of [
        [own, foreign],
        [foreign, own],
        [own, own],
      ]) {
        const response = await sendLines(`GET ${path} HTTP/1.1`, ...hosts);
        expect(response).toMatch(/^HTTP\/1\.1 400 /);
        expect(response).toContain("The request must have one valid Host header.");
      }
    },
  );

  it("in its URL and its header is for the one in the URL", async () => {
    const url = "http://attacker.example/healthz";
    expect(await sendLines(`GET ${url} HTTP/1.1`, own)).toMatch(/^HTTP\/1\.1 421 /);
    const ownUrl = `http://localhost:${port}/healthz`;
    expect(await sendLines(`GET ${ownUrl} HTTP/1.1`, foreign)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it.each(["/healthz", "/sign-in", "/nonesuch"])(
  "a request for %s that offers a WebSocket gets an ordinary response",
  async (path) => {
    const headers = { connection: "upgrade", upgrade: "websocket" };
    const { status } = await send(`localhost:${port}`, path, { headers });
    expect(status).toBe(path === "/nonesuch" ? 404 : 200);
  },
);

describe("the service responds", () => {
  const own = Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .map(({ address, family }) => (family === "IPv6" ? `[${address}]` : address));

  it.each([
    "localhost",
    `localhost:${port}`,
    `LOCALHOST:${port}`,
    `127.0.0.1:${port}`,
    `[::1]:${port}`,
    "media.test",
    "media.test:1",
    "proxy.test:8443",
    ...own,
  ])("under %s", async (host) => {
    for (const path of ["/healthz", "/v1/operations"]) {
      expect((await send(host, path)).status, path).toBe(200);
    }
  });

  it("to HTTP/1.0 without a host", async () => {
    const socket = connect(Number(port), "127.0.0.1");
    socket.write("GET /readyz HTTP/1.0\r\n\r\n");
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
