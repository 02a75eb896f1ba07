import { connect } from "node:net";
import { describe, expect, inject, it } from "vitest";
import { Client } from "#tests/service/http/client.ts";
import { postRaw } from "#tests/service/http/raw-http.ts";

const client = new Client();
const html = { bytes: "<h1>Hello</h1>", filename: "hello.html" };
const json = { "content-type": "application/json" };

/** Expects the common shape of error responses, and returns the message. */
async function expectError(response: Response, status: number, code: string): Promise<string> {
  const text = await response.text();
  expect([response.status, response.headers.get("x-error-code")], text).toEqual([status, code]);
  expect(response.headers.get("x-request-id")).toMatch(/^req_/);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const body = JSON.parse(text);
  expect(Object.keys(body)).toEqual(["error"]);
  expect(body.error).toMatch(/^[A-Za-z_`][^\n]*\.$/);
  expect(body.error).not.toMatch(/\/(?:tmp|work|home|root|usr)\b|at .+:\d+:\d+|select .* from/i);
  return body.error;
}

describe("404", () => {
  it.each([
    "/v1",
    "/v1/",
    "/v1/nothing",
    "/v1/image/nothing",
    "/v1/a/b/c/d",
    "/v1/jobs/abc/nothing",
    "/v1/jobs/..%2f..%2fetc",
  ])("is returned for %s", async (path) => {
    const response = await client.request(path.replace(/\/$/, ""), {
      method: path.startsWith("/v1/image/") ? "POST" : "GET",
    });
    await expectError(response, 404, "not_found");
  });

  it.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])(
    "is returned for %s of an operation that does not exist",
    async (method) => {
      const response = await client.request("/v1/image/rezise", { method });
      expect(response.headers.get("allow")).toBeNull();
      if (method === "HEAD") expect(response.status).toBe(404);
      else expect(await expectError(response, 404, "not_found")).toContain("`image/resize`");
    },
  );

  it.each(["//v1/jobs", "/v1//jobs", "/v1/jobs//", "/\\v1/jobs"])(
    "is returned for %s, without a redirect",
    async (path) => {
      for (const method of ["GET", "POST"] as const) {
        const headers = { "Content-Length": "0" };
        const { status, body } = await postRaw({ path, method, headers, body: [] });
        expect([status, JSON.parse(body)]).toEqual([
          404,
          { error: expect.stringContaining("Did you mean `/v1/jobs`?") },
        ]);
      }
    },
  );

  it.each(["/v1/webhooks/endpoints", "/v1/connections", "/v1/images/keys"])(
    "DELETE %s/{id}, for ids that none can have",
    async (path) => {
      const { url, apiKey } = inject("service");
      for (const id of ["%00", "we_1", "z".repeat(2000)]) {
        const init = { method: "DELETE", headers: { "x-api-key": apiKey } };
        await expectError(await fetch(`${url}${path}/${id}`, init), 404, "not_found");
      }
    },
  );

  it.each(["job_1", "%00", `job_${"z".repeat(2000)}`, "%2e%2e%2fusage"])(
    "is returned for the job id %s",
    async (id) => {
      await expectError(await client.request(`/v1/jobs/${id}`), 404, "not_found");
    },
  );
});

describe("404: the message suggests what was probably meant", () => {
  it.each([
    ["POST", "/v1/image/rezise", "`image/resize`"],
    ["POST", "/v1/images/resize", "`image/resize`"],
    ["POST", "/v1/resize", "`/v1/image/resize` or `/v1/video/resize`"],
    ["GET", "/v1/usgae", "`/v1/usage`"],
    ["GET", "/v1/jobs/", "`/v1/jobs`"],
    ["GET", "/v1/job/job_1/outputs/0", "`/v1/jobs/{id}/outputs/{index}`"],
  ])("%s %s", async (method, path, suggested) => {
    const message = await expectError(await client.request(path, { method }), 404, "not_found");
    expect(message).toContain(` Did you mean ${suggested}? See GET /`);
  });
});

describe("405", () => {
  it.each([
    ["GET", "/v1/image/sharpen", "POST, OPTIONS"],
    ["PUT", "/v1/image/sharpen", "POST, OPTIONS"],
    ["DELETE", "/v1/usage", "GET, HEAD, OPTIONS"],
    ["POST", "/v1/operations", "GET, HEAD, OPTIONS"],
    ["PATCH", "/openapi.json", "GET, HEAD, OPTIONS"],
    ["POST", "/readyz", "GET, HEAD, OPTIONS"],
  ])("is returned for %s %s", async (method, path, allow) => {
    const response = await client.request(path, { method });
    expect(response.headers.get("allow")).toBe(allow);
    await expectError(response, 405, "method_not_allowed");
  });
});

describe("415", () => {
  it.each([undefined, "text/plain", "application/x-www-form-urlencoded", "application/jsonx"])(
    "is returned for a body of type %s",
    async (type) => {
      const init = {
        method: "POST",
        body: new Uint8Array([123, 125]),
        headers: new Headers(type ? { "content-type": type } : {}),
      };
      await expectError(
        await client.request("/v1/image/sharpen", init),
        415,
        "unsupported_media_type",
      );
    },
  );
});

describe("400, invalid_request", () => {
  it.each([
    ["not JSON", "{"],
    ["null", "null"],
    ["a list", "[]"],
    ["text", '"x"'],
    ["a number too large", "1e400"],
    ["empty", ""],
    ["not UTF-8", Buffer.from([0x22, 0xff, 0x22])],
    ["nested 100,000 levels deep", "[".repeat(100_000)],
  ])("is returned for a body that is %s", async (_name, body) => {
    const bytes = typeof body === "string" ? body : new Uint8Array(body);
    const response = await client.request("/v1/image/sharpen", {
      method: "POST",
      body: bytes,
      headers: json,
    });
    await expectError(response, 400, "invalid_request");
  });

  it.each([
    ["no boundary", "multipart/form-data", "x"],
    [
      "a body that ends early",
      "multipart/form-data; boundary=b",
      '--b\r\ncontent-disposition: form-data; name="sigma"\r\n\r\n1',
    ],
  ])("is returned for multipart with %s", async (_name, type, body) => {
    const init = { method: "POST", body, headers: { "content-type": type } };
    await expectError(await client.request("/v1/image/sharpen", init), 400, "invalid_request");
  });

  it("is returned for two files for one input", async () => {
    const form = new FormData();
    form.append("file", new File(["<p>1"], "a.html"));
    form.append("file", new File(["<p>2"], "b.html"));
    const response = await client.request("/v1/document/html-to-pdf", {
      method: "POST",
      body: form,
    });
    await expectError(response, 400, "invalid_request");
  });
});

describe("400, invalid_parameter: the message names the field and what is allowed", () => {
  const input = "https://example.com/file.png";
  it.each([
    ["image/sharpen", { sigma: 11 }, "`sigma` must be a number from 0.1 to 10."],
    ["image/sharpen", { sigma: "1" }, "`sigma` must be a number from 0.1 to 10."],
    [
      "image/sharpen",
      { radius: 1 },
      "`radius` is not a parameter. Allowed parameters: `sigma`, `raw`. Other fields: `input`, `webhook_url`, `metadata`, `output`, `keep`.",
    ],
    [
      "image/sharpen",
      { constructor: 1 },
      "`constructor` is not a parameter. Allowed parameters: `sigma`, `raw`. Other fields: `input`, `webhook_url`, `metadata`, `output`, `keep`.",
    ],
    [
      "image/sharpen",
      { sgima: 1 },
      "`sgima` is not a parameter. Did you mean `sigma`? Allowed parameters: `sigma`, `raw`. Other fields: `input`, `webhook_url`, `metadata`, `output`, `keep`.",
    ],
    [
      "image/sharpen",
      { "metadata[order]": "113" },
      "`metadata[order]` is not a parameter. Send `metadata` as one field with JSON.",
    ],
    [
      "image/flip",
      { direction: "horizontl" },
      "`direction` has no such value. Did you mean `horizontal`? It must be one of horizontal, vertical.",
    ],
    ["image/watermark-text", {}, "`text` is required: text of 1 to 500 characters."],
    [
      "image/watermark-text",
      { text: "a\u0000b" },
      "`text` must not contain control characters other than line breaks.",
    ],
    [
      "image/watermark-text",
      { text: "x", position: "middle" },
      "`position` must be one of top-left, top, top-right, left, center, right, bottom-left, bottom, bottom-right.",
    ],
    ["video/framerate", { fps: 1.5 }, "`fps` must be an integer from 1 to 240."],
    ["video/framerate", { fps: null }, "`fps` must be an integer from 1 to 240."],
    ["image/sharpen", { metadata: { a: 1 } }, "`metadata` must be an object of text values."],
    [
      "image/sharpen",
      { webhook_url: "ftp://example.com/" },
      "`webhook_url` must be a complete http or https URL.",
    ],
    [
      "image/sharpen",
      { input: 7 },
      "`input` must be a complete http or https URL, the id of an upload, or a file in a connection: `conn_…:folder/file.mp4`.",
    ],
    [
      "image/sharpen",
      { input: "file:///etc/passwd" },
      "`input` must be a complete http or https URL, the id of an upload, or a file in a connection: `conn_…:folder/file.mp4`.",
    ],
    [
      "image/sharpen",
      { input: "http://user:pass@example.com/" },
      "`input` must not contain a user name or password.",
    ],
  ])("%s %j", async (operation, fields, message) => {
    const response = await client.postJson(`/v1/${operation}`, { input, ...fields });
    expect(await expectError(response, 400, "invalid_parameter")).toBe(message);
  });

  it.each([
    [
      "invalid_parameter",
      "html-to-pdf",
      "headers",
      "`headers` must have at most 1,000 fields.",
      1001,
    ],
    ["invalid_parameter", "fill-form", "values", "`values` must have at most 2,000 fields.", 2001],
    [
      "invalid_request",
      "html-to-pdf",
      "headers",
      "JSON must have at most 20,000 fields, objects and lists.",
      20_000,
    ],
  ])(
    "%s: too many fields of %s %s are not checked",
    async (code, operation, name, message, count) => {
      const fields = Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, "b"]));
      const response = await client.postJson(`/v1/document/${operation}`, {
        input,
        [name]: fields,
      });
      expect(await expectError(response, 400, code)).toBe(message);
    },
  );

  it.each(["__proto__", "__proto__x"])("`%s` is not a parameter", async (name) => {
    const body = `{"input": "${input}", "${name}": {"sigma": 2}}`;
    const response = await client.request("/v1/image/sharpen", {
      method: "POST",
      body,
      headers: json,
    });
    expect(await expectError(response, 400, "invalid_parameter")).toContain(`\`${name}\` is not`);
    const form = await client.postForm("/v1/image/sharpen", { input, [name]: "2" });
    expect(await expectError(form, 400, "invalid_parameter")).toContain(`\`${name}\` is not`);
  });

  it.each([
    "limit=0",
    "limit=101",
    "limit=1e9",
    "offset=-1",
    "status=done",
    "created_after=yesterday",
    "page=2",
  ])("GET /v1/jobs?%s", async (query) => {
    await expectError(await client.request(`/v1/jobs?${query}`), 400, "invalid_parameter");
  });

  it.each(["0", "61", "x", "1.5"])("Prefer: wait=%s", async (wait) => {
    const response = await client.postForm(
      "/v1/document/html-to-pdf",
      { file: html },
      { prefer: `wait=${wait}` },
    );
    await expectError(response, 400, "invalid_parameter");
  });
});

describe("400, invalid_input", () => {
  it.each([
    ["no input", {}],
    ["an empty file", { file: { bytes: "", filename: "a.html" } }],
    ["both a file and a URL", { file: html, input: "https://example.com/" }],
    [
      "bytes of another type than the file name",
      { file: { bytes: "\x89PNG\r\n\x1a\n no png", filename: "a.html" } },
    ],
  ])("is returned for %s", async (_name, fields) => {
    const response = await client.postForm("/v1/document/html-to-pdf", fields as never);
    await expectError(response, 400, "invalid_input");
  });
});

it("a URL that cannot be decoded returns the same error shape", async () => {
  await expectError(await client.request("/v1/%zz"), 400, "invalid_request");
});

it("a request that is not HTTP returns 400", async () => {
  const { port } = new URL(inject("service").url);
  const socket = connect(Number(port), "127.0.0.1");
  socket.end("NONSENSE\r\n\r\n");
  const chunks: Buffer[] = [];
  for await (const chunk of socket) chunks.push(chunk);
  expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 [\s\S]*\{"error":"[^"]+"\}$/);
});

it("every response has a request id, including pages", async () => {
  for (const path of ["/", "/nothing-here", "/v1/usage"]) {
    const { headers } = await client.request(path, { headers: { "x-request-id": "mine" } });
    expect(headers.get("x-request-id")).toMatch(/^req_[0-9A-Za-z]{24}$/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
});

it("a page that does not exist returns 404 as HTML", async () => {
  const response = await client.request("/nothing-here");
  expect([response.status, response.headers.get("content-type")]).toEqual([
    404,
    "text/html; charset=utf-8",
  ]);
});
