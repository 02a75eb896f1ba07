import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { Network } from "#lib/net/network.ts";
import { guardedRequest, sendStream } from "#lib/net/send.ts";
import { httpServer, rawResponseServer, rawServer, testNetwork } from "#tests/servers/net.ts";

const base = {
  method: "POST",
  headers: { "content-type": "application/json", "webhook-id": "msg_1" },
  body: '{"type":"job.completed"}',
  timeoutMs: 1000,
  maxResponseBytes: 1024,
} as const;

const webhookNetwork = (allow: readonly string[]): Network => ({
  ...testNetwork(allow),
  purpose: "webhooks",
});

describe("a guarded request", () => {
  it("is sent unchanged and returns status, headers and the beginning of the body", async () => {
    const host = await httpServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      response.writeHead(202, { "x-got": `${request.method} ${request.headers["webhook-id"]}` });
      response.end(`${body}\0${"x".repeat(5000)}`);
    });
    const response = await guardedRequest(
      { ...base, url: `http://${host}/hook` },
      webhookNetwork([host]),
    );
    expect(response).toMatchObject({ status: 202, headers: { "x-got": "POST msg_1" } });
    expect(response.bodyStart.startsWith(`${base.body}xxx`)).toBe(true);
    expect(response.bodyStart.length).toBe(1023);
  });

  it.each([301, 302, 307, 308, 410, 429, 500])(
    "returns %i and follows no redirect",
    async (status) => {
      let hits = 0;
      const host = await httpServer((_request, response) => {
        hits++;
        response.writeHead(status, { location: "/other", "retry-after": "5" }).end();
      });
      const response = await guardedRequest(
        { ...base, url: `http://${host}/` },
        webhookNetwork([host]),
      );
      expect([response.status, hits]).toEqual([status, 1]);
    },
  );

  it("does not wait for an endless body", async () => {
    const host = await httpServer((_request, response) => {
      const timer = setInterval(() => response.write("x".repeat(600)), 20);
      response.on("close", () => clearInterval(timer));
    });
    const response = await guardedRequest(
      { ...base, url: `http://${host}/` },
      webhookNetwork([host]),
    );
    expect([response.status, response.bodyStart.length]).toEqual([200, 1024]);
  });

  it("keeps the status when the body stalls, drips or breaks off", async () => {
    const head = "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n";
    const dripping = await rawServer((socket) => {
      socket.write(head);
      const timer = setInterval(() => socket.write("x"), 50);
      socket.on("close", () => clearInterval(timer));
    });
    for (const host of [
      await rawResponseServer(`${head}ok`, false),
      await rawResponseServer(`${head}ok`),
      dripping,
    ]) {
      const response = await guardedRequest(
        { ...base, url: `http://${host}/` },
        webhookNetwork([host]),
      );
      expect(response.status).toBe(200);
    }
  });

  it("times out without a response", async () => {
    const host = await rawResponseServer("", false);
    const sent = guardedRequest(
      { ...base, timeoutMs: 300, url: `http://${host}/` },
      webhookNetwork([host]),
    );
    await expect(sent).rejects.toMatchObject({ code: "fetch_timeout" });
  });

  it.each([
    "http://127.0.0.1/",
    "http://8.8.8.8:8080/",
    "file:///etc/passwd",
    "http://u:p@8.8.8.8/",
  ])("to %s is rejected", async (url) => {
    const sent = guardedRequest({ ...base, url }, webhookNetwork([]));
    await expect(sent).rejects.toMatchObject({ code: "address_refused" });
  });

  it("rejects header injection", async () => {
    const host = await httpServer((_request, response) => response.end());
    const headers = { "x-evil": "a\r\nHost: other" };
    await expect(
      guardedRequest({ ...base, headers, url: `http://${host}/` }, webhookNetwork([host])),
    ).rejects.toThrow();
  });
});

describe("a streamed request", () => {
  /** A body that fails after its first bytes, unless it is closed before. */
  function makeBody(failure?: Error): Readable {
    return new Readable({
      read() {
        this.push("x".repeat(1000));
        if (failure) this.destroy(failure);
      },
    });
  }

  const send = (host: string, open: () => Promise<Readable>, allow = [host]) =>
    sendStream(
      {
        method: "POST",
        url: `http://${host}/`,
        headers: {},
        bytes: undefined,
        timeoutMs: 1000,
        open,
      },
      webhookNetwork(allow),
    );

  it("closes its body when the receiver responds before it has all of it", async () => {
    const host = await httpServer((_request, response) => response.writeHead(413).end());
    const body = makeBody();
    expect(await send(host, async () => body)).toBe(413);
    expect(body.destroyed).toBe(true);
  });

  it("opens no body for an address that is refused", async () => {
    let opened = 0;
    const open = async () => {
      opened++;
      return makeBody();
    };
    const refused = { code: "address_refused" };
    await expect(send("127.0.0.1:9", open, [])).rejects.toMatchObject(refused);
    expect(opened).toBe(0);
  });

  it("closes its body when the receiver cannot be reached, and fails with its body", async () => {
    const body = makeBody();
    await expect(send("127.0.0.1:9", async () => body)).rejects.toThrow("cannot be reached");
    expect(body.destroyed).toBe(true);
    const host = await httpServer((request) => request.resume());
    const failing = makeBody(new Error("the file is gone"));
    await expect(send(host, async () => failing)).rejects.toMatchObject({ code: "fetch_failed" });
    expect(failing.destroyed).toBe(true);
  });
});
