import { expect, it } from "vitest";
import { postToOperator } from "#lib/net/operator-request.ts";
import { httpServer, rawResponseServer } from "#tests/servers/net.ts";

const base = {
  headers: { "content-type": "application/octet-stream", authorization: "Bearer key" },
  body: Buffer.from([0, 255, 1]),
  timeoutMs: 2000,
  maxResponseBytes: 1000,
};

const signal = new AbortController().signal;

it("reaches a private host and port that the URL names, with the bytes of the body", async () => {
  const host = await httpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response.writeHead(201, { "retry-after": "7" });
    response.end(`${request.headers.authorization} ${Buffer.concat(chunks).toString("hex")}`);
  });
  const response = await postToOperator({ ...base, url: `http://${host}/a`, signal });
  const bytes = Buffer.from("Bearer key 00ff01");
  expect(response).toEqual({ status: 201, retryAfter: 7, bytes });
});

it("follows no redirect", async () => {
  let hits = 0;
  const host = await httpServer((_request, response) => {
    hits++;
    response.writeHead(307, { location: "/b" }).end();
  });
  const { status } = await postToOperator({ ...base, url: `http://${host}/a`, signal });
  expect([status, hits]).toEqual([307, 1]);
});

it("rejects a response that is too long, incomplete or late", async () => {
  const long = await httpServer((_request, response) => void response.end("x".repeat(1001)));
  await expect(postToOperator({ ...base, url: `http://${long}/`, signal })).rejects.toThrow(
    "too long",
  );
  const broken = await rawResponseServer("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
  await expect(postToOperator({ ...base, url: `http://${broken}/`, signal })).rejects.toMatchObject(
    { code: "fetch_failed" },
  );
  const late = await httpServer(() => {});
  const request = { ...base, url: `http://${late}/`, timeoutMs: 300, signal };
  await expect(postToOperator(request)).rejects.toMatchObject({ code: "fetch_timeout" });
});
