import { beforeAll, describe, expect, inject, it } from "vitest";
import { fromBuffer } from "yauzl";
import type { Job } from "#lib/jobs/view/job.ts";
import { Client } from "#tests/service/http/client.ts";
import { expectError } from "#tests/support/expect-error.ts";

const client = new Client();
let job: Job;
let url = "";

beforeAll(async () => {
  job = await client.run("document/html-to-pdf", {
    bytes: "<h1>Hi</h1>",
    filename: 'a "b" ü.html',
  });
  url = job.outputs[0]?.url ?? "";
});

describe("with an API key", () => {
  it("returns the file, with headers that protect browsers", async () => {
    const response = await client.request(`/v1/jobs/${job.id}/output`);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");
    expect(bytes.length).toBe(job.outputs[0]?.bytes);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-length": String(bytes.length),
      "content-disposition": `inline; filename="a _b_ _.pdf"; filename*=UTF-8''a%20%22b%22%20%C3%BC.pdf`,
      "accept-ranges": "bytes",
      "content-security-policy": "sandbox; default-src 'none'",
      "x-content-type-options": "nosniff",
    });
  });

  it("supports ranges, HEAD and conditional requests", async () => {
    const path = `/v1/jobs/${job.id}/outputs/0`;
    const whole = await client.download(job);
    const part = await client.request(path, { headers: { range: "bytes=1-4" } });
    expect([part.status, part.headers.get("content-range"), await part.text()]).toEqual([
      206,
      `bytes 1-4/${whole.length}`,
      "PDF-",
    ]);
    const tail = await client.request(path, { headers: { range: "bytes=-6" } });
    expect(Buffer.from(await tail.arrayBuffer())).toEqual(whole.subarray(-6));
    const beyond = await client.request(path, { headers: { range: `bytes=${whole.length}-` } });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([
      416,
      `bytes */${whole.length}`,
    ]);
    const head = await client.request(path, { method: "HEAD" });
    expect([head.status, head.headers.get("content-length"), await head.text()]).toEqual([
      200,
      String(whole.length),
      "",
    ]);
    const etag = head.headers.get("etag") ?? "";
    const again = await client.request(path, { headers: { "if-none-match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
  });

  it("returns 404 for an output that does not exist", async () => {
    for (const index of ["1", "x", "-1", "00", "0.0", "+0", "%200", "1e0"]) {
      expect((await client.request(`/v1/jobs/${job.id}/outputs/${index}`)).status).toBe(404);
    }
  });

  it("returns 409 before the job is completed", async () => {
    const response = await client.postJson("/v1/image/sharpen", { input: "http://10.0.0.1/" });
    const { id } = (await response.json()) as Job;
    const early = await client.request(`/v1/jobs/${id}/output`);
    expect([early.status, early.headers.get("x-error-code")]).toEqual([409, "conflict"]);
  });
});

it("all outputs are available as one ZIP", async () => {
  const response = await client.request(`/v1/jobs/${job.id}/archive`);
  expect(response.headers.get("content-type")).toBe("application/zip");
  const bytes = Buffer.from(await response.arrayBuffer());
  const { promise, resolve, reject } = Promise.withResolvers<string[]>();
  fromBuffer(bytes, (error, zip) => {
    if (error) return reject(error);
    const names: string[] = [];
    zip.on("entry", (entry) => names.push(`${entry.fileName} ${entry.uncompressedSize}`));
    zip.on("end", () => resolve(names));
  });
  expect(await promise).toEqual([`${job.outputs[0]?.filename} ${job.outputs[0]?.bytes}`]);
});

describe("with a signed URL", () => {
  it("needs no key and is open to other origins", async () => {
    const response = await fetch(url, { headers: { origin: "https://example.com" } });
    expect([response.status, response.headers.get("access-control-allow-origin")]).toEqual([
      200,
      "*",
    ]);
    expect(url).toMatch(/&signature=[0-9a-f]{64}$/);
  });

  it("allows conditional and range headers in a preflight request", async () => {
    const preflight = { method: "OPTIONS", headers: { origin: "https://example.com" } };
    const { status, headers } = await fetch(url, preflight);
    expect(status).toBe(204);
    expect(Object.fromEntries(headers)).toMatchObject({
      allow: "GET, HEAD, OPTIONS",
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET, HEAD",
      "access-control-max-age": "86400",
    });
    const allowed = headers.get("access-control-allow-headers")?.toLowerCase().split(", ");
    expect(allowed).toEqual(expect.arrayContaining(["if-none-match", "if-range", "range"]));
    const rejected = await fetch(url, { method: "DELETE" });
    expect(rejected.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
  });

  it("exposes the headers that downloads need to other origins, with ranges and conditional requests", async () => {
    const origin = "https://example.com";
    const part = await fetch(url, { headers: { origin, range: "bytes=0-3" } });
    expect(part.status).toBe(206);
    const exposed = part.headers.get("access-control-expose-headers")?.toLowerCase().split(", ");
    const needed = ["etag", "content-range", "content-disposition", "accept-ranges"];
    expect(exposed).toEqual(expect.arrayContaining(needed));
    const etag = part.headers.get("etag") ?? "";
    const same = await fetch(url, { headers: { origin, "if-none-match": etag } });
    expect([same.status, same.headers.get("access-control-allow-origin")]).toEqual([304, "*"]);
    const other = await fetch(url, { headers: { origin, "if-match": `"x", W/${etag}` } });
    expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([412, "*"]);
    await expectError(other, "precondition_failed");
    const wanted = await fetch(url, { headers: { origin, "if-match": `"x", ${etag}` } });
    expect(wanted.status).toBe(200);
  });

  it("returns 403 when altered or expired", async () => {
    const altered = [
      url.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
      url.replace(/expires=\d+/, "expires=99999999999"),
      url.replace(/expires=\d+/, "expires=1"),
      url.replace(/\/0\//, "/1/"),
      url.replace(/\?.*/, ""),
      url.replace(/\/[^/]+\?/, "/another-name.exe?"),
      url.replace(/expires=\d+/, "$&.0"),
      url.replace(/expires=/, "$&%20"),
      url.replace(/expires=(\d+)&(signature=.*)/, "$2&expires=$1"),
      `${url}00`,
      `${url}&signature=00`,
      `${url}&expires=9999999999`,
    ];
    for (const alteredUrl of altered) {
      const response = await fetch(alteredUrl);
      expect([response.status, response.headers.get("x-error-code")]).toEqual([403, "forbidden"]);
    }
  });
});

describe("sent to a store of the client", () => {
  const { url: host } = inject("host");
  const file = { bytes: "<h1>Hi</h1>", filename: "letter.html" };
  const target = (path: string) => JSON.stringify({ url: `${host}/store/${path}?X-Signature=s` });

  it("the job is completed with what the store said, and its files are gone here", async () => {
    const sent = await client.run("document/html-to-pdf", file, { output: target("letter.pdf") });
    const [output] = sent.outputs;
    expect(output?.exported).toEqual({
      url: `${host}/store/letter.pdf`,
      etag: expect.stringMatching(/^[0-9a-f]{32}$/),
      bytes: output?.bytes,
    });
    const paths = ["output", "outputs/0", "archive"].map((one) => `/v1/jobs/${sent.id}/${one}`);
    const signed = new URL(output?.url ?? "");
    for (const path of [...paths, signed.pathname + signed.search]) {
      const response = await client.request(path);
      expect([path, response.status]).toEqual([path, 410]);
      expect(await response.json()).toEqual({
        error: "The file was sent to the store that the request named, and was not kept here.",
      });
    }
  });

  it("keep keeps them, too", async () => {
    const fields = { output: target("kept.pdf"), keep: "true" };
    const kept = await client.run("document/html-to-pdf", file, fields);
    expect(kept.outputs[0]?.exported).toBeDefined();
    expect((await client.download(kept)).subarray(0, 5).toString()).toBe("%PDF-");
  });

  const url = "https://example.com/a.pdf";
  const noConnection = `conn_${"0".repeat(24)}`;
  it.each([
    [{ keep: true }, "`keep` needs `output`: without it, all outputs are kept."],
    [{ output: url }, "`output` must be an object with `url`, `urls` or `connection`."],
    [{ output: {} }, "`output` must have one of `url`, `urls` and `connection`."],
    [{ output: { url, urls: [url] } }, "`output` must have one of `url`, `urls` and `connection`."],
    [
      { output: { connection: noConnection, path: "a/../../b" } },
      "`output.path` must not have . or .. as a folder.",
    ],
    [
      { output: { connection: noConnection, headers: {} } },
      "`output` must not have `headers` with `connection`.",
    ],
    [{ output: { url, path: "a" } }, "`output` must not have `path` without `connection`."],
    [
      { output: { connection: noConnection } },
      "`output.connection` must name a connection of this account.",
    ],
    [{ output: { url: "a.pdf" } }, "`output.url` must be a complete http or https URL."],
    [{ output: { urls: [url, 1] } }, "`output.urls[1]` must be a complete http or https URL."],
    [{ output: { urls: [] } }, "`output.urls` must have at least one URL."],
    [
      { output: { url: "http://10.0.0.1/a.pdf" } },
      "`output.url` must have a public host: private, loopback and reserved addresses are never called.",
    ],
    [
      { output: { url: "https://example.com:22/" } },
      "`output.url` must be on port 80, 443, 8080 or 8443.",
    ],
    [
      { output: { url, headers: { Host: "other" } } },
      '`output.headers` must not have the header "Host".',
    ],
    [
      { output: { url, headers: { "x-a": "b\r\nx-c: d" } } },
      "`output.headers` must have values of at most 4096 visible ASCII characters.",
    ],
    [
      { output: { url, bucket: "b" } },
      "`output.bucket` is not a parameter. Allowed parameters: `url`, `urls`, `headers`, `connection`, `path`, `overwrite`.",
    ],
    [{ output: { url }, keep: "yes" }, "`keep` must be true or false."],
  ])("%j is rejected", async (fields, message) => {
    const input = "https://example.com/a.html";
    const response = await client.postJson("/v1/document/html-to-pdf", { input, ...fields });
    expect([response.status, await response.json()]).toEqual([400, { error: message }]);
  });
});
