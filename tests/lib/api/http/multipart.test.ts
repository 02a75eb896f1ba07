import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { bodyStream } from "#lib/api/http/body.ts";
import { readMultipart } from "#lib/api/http/multipart.ts";
import { createId } from "#lib/ids.ts";
import { createWebServer } from "#lib/server/server.ts";
import { storage } from "#lib/storage/index.ts";

const folder = `inputs/${createId("job")}`;
const boundary = "the-boundary";
const hash = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex");

/** Reads a form from the message of the web server, as a route does, and responds with its files and fields. */
const server = createWebServer((message, response) => {
  const headers = Object.entries(message.headers).map(([name, value]) => [name, String(value)]);
  const request = new Request("http://localhost/", {
    method: "POST",
    headers: Object.fromEntries(headers),
  });
  readMultipart(request, bodyStream(request), {
    keyOf: (part) => `${folder}/${part}`,
    parts: ["file"],
    maxInputs: 20,
    repeatable: ["note"],
    fileLimit: null,
  }).then(
    (form) => response.end(JSON.stringify(form)),
    (error: Error) => response.writeHead(400).end(error.message),
  );
});

beforeAll(() => once(server.listen(0, "127.0.0.1"), "listening"));
afterAll(async () => {
  server.close();
  await storage().removeAll(folder);
});

interface Form {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly inputs: readonly { key: string; type: { id: string }; bytes: number; sha256: string }[];
}

/** Sends `body` in writes of `writeBytes`. */
async function post(body: Buffer, writeBytes: number): Promise<{ status?: number; text: string }> {
  const { port } = server.address() as AddressInfo; // it listens on a port
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  const request = sendRequest({ port, method: "POST", agent: false, headers });
  request.on("error", () => {}); // the server may close the connection after its response
  const responded = once(request, "response");
  for (let at = 0; at < body.length; at += writeBytes) {
    if (!request.write(body.subarray(at, at + writeBytes))) await once(request, "drain");
  }
  request.end();
  const [response] = (await responded) as [IncomingMessage]; // the event's only argument
  return { status: response.statusCode ?? 0, text: (await buffer(response)).toString() };
}

const part = (name: string, content: Buffer | string, file = "") =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from("\r\n"),
  ]);
const filePart = (content: Buffer) => part("file", content, '; filename="a.bin"');
const end = Buffer.from(`--${boundary}--\r\n`);

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

const contents: Record<string, Buffer> = {
  "a byte": Buffer.from([7]),
  "one chunk of the parser": randomBytes(65_536),
  "a byte more": randomBytes(65_537),
  "random bytes": randomBytes(2_000_003),
  "beginnings of the boundary": Buffer.from(`\r\n--${boundary.slice(0, -1)}`.repeat(40_000)),
  "line ends": Buffer.alloc(700_001, "\r\n"),
  "carriage returns": Buffer.alloc(500_000, "\r"),
  zeros: Buffer.alloc(1_000_000),
};

/** Many small writes take long, so the first files are enough for them. */
test.each([
  { writeBytes: 97, files: 3 },
  { writeBytes: 16_384, files: 8 },
  { writeBytes: 65_536, files: 8 },
  { writeBytes: 1_000_003, files: 8 },
])("$files files in writes of $writeBytes bytes are stored unchanged", async (given) => {
  const sent = Object.entries(contents).slice(0, given.files);
  const note = randomBytes(200_000).toString("hex");
  const parts = sent.flatMap(([name, content]) => [filePart(content), part("note", name)]);
  const body = Buffer.concat([...parts, part("note", note), end]);
  const { status, text } = await post(body, given.writeBytes);
  expect(status).toBe(200);
  const form = JSON.parse(text) as Form;
  expect(form.fields.note).toEqual([...sent.map(([name]) => name), note]);
  for (const [index, [name, content]] of sent.entries()) {
    const { key, sha256 } = form.inputs[index] ?? { key: "", sha256: "" };
    expect(sha256, name).toBe(hash(content));
    expect((await buffer(await storage().read(key))).equals(content), name).toBe(true);
  }
});

test("the type of a large file is detected from its beginning", async () => {
  const image = Buffer.concat([png, Buffer.alloc(1_000_000)]);
  const { text } = await post(Buffer.concat([filePart(image), end]), 65_536);
  expect((JSON.parse(text) as Form).inputs[0]?.type.id).toBe("png");
});

test("a form that breaks off in a large file is malformed, and the next one is read", async () => {
  const whole = Buffer.concat([filePart(randomBytes(3_000_000)), end]);
  const { status, text } = await post(whole.subarray(0, 2_000_000), 100_000);
  expect({ status, text }).toEqual({ status: 400, text: "The multipart body is malformed." });
  expect((await post(whole, 100_000)).status).toBe(200);
});

test.each([
  [
    "a field that is there twice",
    [part("a", "1"), part("a", "2")],
    "`a` must be in the form only once.",
  ],
  [
    "a field in place of a file",
    [part("file", "text")],
    "`file` must be a file: a part with a filename.",
  ],
  ["a field without a name", [part("", "1")], "A form field has no name."],
  [
    "another file",
    [part("other", "1", '; filename="a"')],
    "`other` is not a file of this request.",
  ],
  [
    "fields that are too large",
    [part("a", Buffer.alloc(900_000, "a")), part("b", Buffer.alloc(900_000, "b"))],
    "The fields of the form must have at most 1 MiB in total.",
  ],
])("%s is rejected with a file after it in the same write", async (_, parts, message) => {
  const body = Buffer.concat([...parts, filePart(randomBytes(100_000)), end]);
  for (const writeBytes of [body.length, 1000]) {
    const { status, text } = await post(body, writeBytes);
    expect(status).toBe(400);
    expect(text).toContain(message);
  }
});

test("a form that sends fields for long, and no file, ends with 408", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const body = new PassThrough();
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  const request = new Request("http://localhost/", { method: "POST", headers });
  const target = {
    keyOf: (part: string) => `${folder}/${part}`,
    parts: ["file"],
    maxInputs: 1,
    repeatable: [],
    fileLimit: null,
  };
  const rejected = expect(readMultipart(request, body, target)).rejects.toMatchObject({
    code: "request_timeout",
  });
  body.write(`--${boundary}\r\nContent-Disposition: form-data; name="note"\r\n\r\n`);
  vi.advanceTimersByTime(31_000);
  vi.useRealTimers();
  await rejected;
});
