import { mkdtemp, readdir, rm } from "node:fs/promises";
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type JobData, Mediamill } from "#packages/sdk/src/index.ts";

/** The TypeScript SDK and servers that fail, are slow, or are no Mediamill service. */

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listen(handle: RequestListener): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A client of a server whose answers are made from the number of the request, from 0. */
async function clientOf(
  handle: (count: number, request: IncomingMessage, response: ServerResponse) => void,
  options: { requestTimeout?: number; maxRetries?: number } = {},
): Promise<Mediamill> {
  let count = 0;
  const baseUrl = await listen((request, response) => handle(count++, request, response));
  return new Mediamill({ apiKey: "key", baseUrl, ...options });
}

const job = { id: "job_1", status: "completed", outputs: [], warnings: [] };
const json = (value: unknown) => JSON.stringify(value);

describe("a request is sent again", () => {
  it("after as long as the server asks, with the same key", async () => {
    const keys: unknown[] = [];
    const times: number[] = [];
    const slow = await clientOf((count, request, response) => {
      keys.push(request.headers["idempotency-key"]);
      times.push(Date.now());
      if (count > 0) return response.end(json(job));
      response.writeHead(429, { "retry-after": "1", "x-error-code": "rate_limited" });
      return response.end(json({ error: "Too many requests." }));
    });
    await slow.run("image/qr-code", { text: "a" });
    expect(new Set(keys).size).toBe(1);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it("if the connection is cut within the answer to a create", async () => {
    const keys: unknown[] = [];
    const cut = await clientOf((count, request, response) => {
      keys.push(request.headers["idempotency-key"]);
      if (count > 0) return response.end(json(job));
      response.writeHead(202, { "content-length": "1000" });
      response.write('{"id":"job_1",', () => response.destroy());
      return response;
    });
    expect((await cut.create("image/qr-code", { text: "a" })).id).toBe("job_1");
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it("with the same key if it retries a job, after a lost connection and an error of the service", async () => {
    const keys: unknown[] = [];
    const failing = await clientOf((count, request, response) => {
      keys.push(request.headers["idempotency-key"]);
      if (count === 0) return response.destroy();
      if (count === 1) return response.writeHead(502).end();
      return response.end(json(job));
    });
    expect((await failing.jobs.retry("job_0")).id).toBe("job_1");
    await failing.jobs.retry("job_0");
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys.map((key) => key === keys[0])).toEqual([true, true, true, false]);
  });

  it("neither for what is wrong, nor after an abort", async () => {
    let requests = 0;
    const failing = await clientOf((_count, _request, response) => {
      requests++;
      response.writeHead(400, { "x-error-code": "invalid_parameter" }).end('{"error":"No."}');
    });
    await expect(failing.usage()).rejects.toThrow("No.");
    const signal = AbortSignal.abort();
    await expect(failing.usage({ signal })).rejects.toMatchObject({ name: "AbortError" });
    expect(requests).toBe(1);
  });
});

describe("a server that is not the service", () => {
  it.each([200, 502])("is reported if it answers with a page and status %d", async (status) => {
    const page = await clientOf(
      (_count, _request, response) => {
        response.writeHead(status, { "content-type": "text/html" }).end("<h1>Hello</h1>");
      },
      { maxRetries: 0 },
    );
    const message = status === 200 ? /Check the base URL/ : /status 502/;
    await expect(page.usage()).rejects.toThrow(message);
    await expect(page.run("image/qr-code", { text: "a" })).rejects.toMatchObject({ status });
    if (status === 200) await expect(page.events().next()).rejects.toThrow("Check the base URL");
  });

  it("is named if it redirects to the service, which would lose what is posted", async () => {
    const target = await listen((_request, response) => response.end("{}"));
    const moved = await clientOf((_count, request, response) => {
      response.writeHead(301, { location: `${target}${request.url}` }).end();
    });
    const sent = moved.run("image/qr-code", { text: "a" });
    await expect(sent).rejects.toThrow(`redirects to ${target}`);
    const pasted = new Mediamill({ apiKey: "key\n", baseUrl: target });
    await expect(pasted.usage()).rejects.toThrow("characters that no key has");
  });

  it("gets no key by a redirect", async () => {
    const keys: unknown[] = [];
    const other = await listen(({ headers }, response) => {
      keys.push(headers.authorization ?? headers["x-api-key"]);
      response.end("content");
    });
    const location = `${other.replace("127.0.0.1", "localhost")}/x`;
    const service = await clientOf((_count, { headers }, response) => {
      keys.push(headers.authorization);
      response.writeHead(302, { location }).end();
    });
    expect(await (await service.jobs.archive("job_1")).text()).toBe("content");
    expect(keys).toEqual(["Bearer key", undefined]);
  });
});

describe("a host with a limit", () => {
  const large = () => new Blob([new Uint8Array(2_000_000)]);

  /** A host that refuses forms; `account` is what the service says of itself. */
  async function limitedHost(account: unknown, isDirect = true) {
    const requests: string[] = [];
    const bucket = await listen((request, response) => {
      requests.push(`${request.method} bucket`);
      request.resume().on("end", () => response.end());
    });
    const mm = await clientOf((_count, request, response) => {
      const { method, url = "", headers } = request;
      const isForm = /^multipart/.test(headers["content-type"] ?? "");
      requests.push(`${method} ${url}${isForm ? " form" : ""}`);
      request.resume().on("end", () => {
        if (isForm || method === "PUT") {
          return response.writeHead(413, { "content-type": "text/html" }).end("Too Large");
        }
        if (url === "/v1/account") return response.end(json(account));
        if (url !== "/v1/uploads") return response.end(json(job));
        const target = isDirect ? bucket : `http://${headers.host}/uploads/1`;
        return response.end(json({ id: "upload_1", url: target, method: "PUT", headers: {} }));
      });
    });
    return { mm, requests };
  }

  it("is asked once, and gets larger files by uploads", async () => {
    const { mm, requests } = await limitedHost({
      uploads: { direct: true, form_bytes: 1_500_000 },
    });
    for (let count = 0; count < 2; count++) await mm.run("image/palette", { input: large() });
    const run = ["POST /v1/uploads", "PUT bucket", "POST /v1/image/palette"];
    expect(requests).toEqual(["GET /v1/account", ...run, ...run]);
  });

  it.each([[{ email: "a@b.example" }], [{ uploads: { direct: true, form_bytes: null } }]])(
    "that says nothing of it, as %j, is known from the first form that it refuses",
    async (account) => {
      const { mm, requests } = await limitedHost(account);
      const input = { inputs: [large(), new Blob(["a"])] };
      for (let count = 0; count < 2; count++) await mm.run("image/animated", input);
      const upload = ["POST /v1/uploads", "PUT bucket"];
      const run = [...upload, ...upload, "POST /v1/image/animated"].toSorted();
      expect(requests.slice(0, 2)).toEqual(["GET /v1/account", "POST /v1/image/animated form"]);
      expect(requests.slice(2, 7).toSorted()).toEqual(run);
      expect(requests.slice(7).toSorted()).toEqual(run);
    },
  );

  it("whose service takes no uploads directly is explained", async () => {
    const { mm } = await limitedHost({}, false);
    await expect(mm.run("image/palette", { input: large() })).rejects.toMatchObject({
      status: 413,
      message: expect.stringMatching(
        /^This host does not accept a request so large\. .*send a URL\.$/,
      ),
    });
  });
});

describe("a download", () => {
  const outputsOf = (baseUrl: string) => ({
    ...job,
    outputs: [{ filename: "a.bin", url: `${baseUrl}/a.bin`, content_type: "a/b", bytes: 20 }],
  });

  it("may take longer than the answer to a request", async () => {
    const baseUrl = await listen((_request, response) => {
      response.writeHead(200).write("x".repeat(10));
      setTimeout(() => response.end("y".repeat(10)), 1500);
    });
    const mm = new Mediamill({ apiKey: "key", baseUrl, requestTimeout: 1000 });
    const { output } = mm.job(outputsOf(baseUrl) as unknown as JobData);
    expect(await output.text()).toHaveLength(20);
  });

  it("that is cut leaves no file", async () => {
    const baseUrl = await listen((_request, response) => {
      response.writeHead(200, { "content-length": "20" });
      response.write("short", () => response.destroy());
    });
    const folder = await mkdtemp(join(tmpdir(), "mediamill-sdk-"));
    const { output } = new Mediamill({ baseUrl }).job(outputsOf(baseUrl) as unknown as JobData);
    await expect(output.save(`${folder}/`)).rejects.toThrow("cut off");
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});

it("an answer that does not come is a timeout", async () => {
  const silent = await clientOf(() => {}, { requestTimeout: 200, maxRetries: 0 });
  await expect(silent.usage()).rejects.toMatchObject({ name: "TimeoutError" });
});

it("polls at once when the account has too many event streams", async () => {
  const paths: (string | undefined)[] = [];
  const busy = await clientOf((count, request, response) => {
    paths.push(request.url);
    if (count === 0) return response.end(json({ ...job, status: "processing" }));
    if (!request.url?.endsWith("/events")) return response.end(json(job));
    response.writeHead(429, { "retry-after": "30", "x-error-code": "rate_limited" });
    return response.end(json({ error: "Too many event streams." }));
  });
  await busy.run("image/qr-code", { text: "a" }, { onProgress: () => {} });
  expect(paths.slice(1)).toEqual(["/v1/jobs/job_1/events", "/v1/jobs/job_1?wait=30"]);
});

it("reads the job without `wait` when the account has too many long polls", async () => {
  const paths: (string | undefined)[] = [];
  const handle = (count: number, request: IncomingMessage, response: ServerResponse) => {
    paths.push(request.url);
    if (count === 0 || count === 3) return response.end(json({ ...job, status: "processing" }));
    if (request.url === "/v1/jobs/job_1") return response.end(json(job));
    response.writeHead(429, { "retry-after": "0", "x-error-code": "rate_limited" });
    return response.end(json({ error: "Too many requests with `wait`." }));
  };
  const busy = await clientOf(handle, { maxRetries: 0 });
  expect((await busy.run("image/qr-code", { text: "a" })).status).toBe("completed");
  const polls = ["/v1/jobs/job_1?wait=30", "/v1/jobs/job_1"];
  expect(paths.slice(1)).toEqual(["/v1/jobs/job_1/events", ...polls, ...polls]);
});

it("lists on after a page that is shorter than its limit", async () => {
  const cursors: (string | null)[] = [];
  const long = await clientOf((count, request, response) => {
    cursors.push(new URL(request.url ?? "", "http://localhost").searchParams.get("starting_after"));
    if (count === 0) response.setHeader("link", '</v1/jobs?limit=100>; rel="next"');
    response.end(json({ jobs: [{ ...job, id: `job_${count}` }] }));
  });
  const ids: string[] = [];
  for await (const { id } of long.jobs.list()) ids.push(id);
  expect([ids, cursors]).toEqual([
    ["job_0", "job_1"],
    [null, "job_0"],
  ]);
});
