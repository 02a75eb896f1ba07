import { beforeAll, expect, it } from "vitest";
import type { RequestBody } from "#lib/api/http/body.ts";
import { parseChainRequest } from "#lib/api/job-creation/chain-request.ts";
import { parseJobRequest } from "#lib/api/job-creation/job-request.ts";
import { db } from "#lib/db/client.ts";
import { uploads } from "#lib/db/schema/uploads/uploads.ts";
import { createId } from "#lib/ids.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { makeAccount } from "#tests/service/jobs.ts";

const input = "https://example.com/photo.jpg";

let accountId = "";
/** A received upload that is a PDF. */
const pdf = createId("upload");

beforeAll(async () => {
  ({ id: accountId } = await makeAccount());
  const received = { bytes: 1, type: "pdf", receivedAt: new Date() } as const;
  const expiresAt = new Date(Date.now() + 3_600_000);
  await db()
    .insert(uploads)
    .values({ id: pdf, accountId, filename: "a.pdf", ...received, expiresAt });
});

function bodyOf(encoding: RequestBody["encoding"], fields: RequestBody["fields"]): RequestBody {
  return { encoding, fields, files: {}, inputs: [] };
}

function parseJob(id: string, fields: RequestBody["fields"], encoding: RequestBody["encoding"]) {
  const operation = findOperation(id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  return parseJobRequest(operation, bodyOf(encoding, fields), accountId);
}

it.each([
  ["image/sharpen", "json", { input: pdf }, /^`input` must be JPEG.+\. The file is PDF\.$/],
  ["image/sharpen", "multipart", { input: pdf }, /^`input` must be JPEG/],
  ["audio/concat", "json", { inputs: [pdf, pdf] }, /^Input 1: `inputs\[0\]` must be MP3/],
  ["pipeline/video-watermark", "json", { watermark_url: pdf }, /^`watermark_url` must be JPEG/],
] as const)(
  "%s in %s: an upload of a wrong type is named as the request named it: %j",
  async (id, encoding, fields, message) => {
    await expect(parseJob(id, fields, encoding)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringMatching(message),
    });
  },
);

it.each([
  ["metadata", "{a", "`metadata` must be JSON: an object of text values."],
  ["output", "{a", "`output` must be JSON: an object with `url`, `urls` or `connection`."],
  ["metadata", "[]", "`metadata` must be an object of text values."],
  ["output", '"a"', "`output` must be an object with `url`, `urls` or `connection`."],
])("%s of a form as %s says what it must be", async (name, text, message) => {
  const fields = { input, [name]: text };
  await expect(parseJob("image/sharpen", fields, "multipart")).rejects.toMatchObject({
    code: "invalid_parameter",
    message,
  });
});

it("text that is no file says all that it may be", async () => {
  await expect(parseJob("image/sharpen", { input: "x" }, "json")).rejects.toThrow(
    "`input` must be a complete http or https URL, the id of an upload, or a file in a connection: `conn_…:folder/file.mp4`.",
  );
});

it.each([
  ["webhook_url", { webhook_url: "https://example.com/hook" }],
  ["metadata", { metadata: { order: "1" } }],
  ["input", { input }],
])(
  "`%s` among the parameters of an operation belongs next to `operations`",
  async (name, params) => {
    const operations = [{ type: "image/sharpen", params }];
    const parsed = parseChainRequest(bodyOf("json", { input, operations }), accountId);
    await expect(parsed).rejects.toThrow(
      `Operation 1, image/sharpen: \`${name}\` is not a parameter of an operation. Send it next to \`operations\`.`,
    );
  },
);

it("an unknown parameter of an operation in a chain lists its parameters alone", async () => {
  const operations = [{ type: "image/sharpen", params: { radius: 1 } }];
  const parsed = parseChainRequest(bodyOf("json", { input, operations }), accountId);
  await expect(parsed).rejects.toThrow(/Allowed parameters: `sigma`, `raw`\.$/);
});

it.each([
  [
    "json",
    { operations: [{ type: "image/sharpen" }], sigma: 1 },
    "`sigma` is not a parameter. Allowed parameters: `operations`, `keep_steps`. Other fields: `input`, `webhook_url`, `metadata`, `output`, `keep`.",
  ],
  [
    "multipart",
    { operations: "[{" },
    "`operations` must be JSON: a list of 1 to 10 objects with `type` and `params`.",
  ],
  ["multipart", {}, "`operations` is required: a list."],
] as const)("a chain in %s with %j", async (encoding, fields, message) => {
  const parsed = parseChainRequest(bodyOf(encoding, { input, ...fields }), accountId);
  await expect(parsed).rejects.toThrow(message);
});
