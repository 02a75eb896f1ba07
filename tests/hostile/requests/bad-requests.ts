import type { RequestErrorCode } from "#lib/errors.ts";

/** Bad inputs: request bodies and queries, and the error code of the response. */

export interface BadRequest {
  readonly id: string;
  readonly path?: string;
  readonly body: string | (() => BodyInit);
  readonly headers?: Readonly<Record<string, string>>;
  readonly code: RequestErrorCode;
}

export const sharpenPath = "/v1/image/sharpen";
/** A valid field: the URL is rejected only when the job runs. */
export const input = '"input": "http://10.0.0.1/"';
const chain = (step: string) => `{${input}, "operations": [${step}]}`;
const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const manyFields = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, "b"])));

const form = (...parts: string[]) =>
  `${parts.map((part) => `--b\r\n${part}\r\n`).join("")}--b--\r\n`;
const field = (name: string, value: string) =>
  `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`;
const formType = { "content-type": "multipart/form-data; boundary=b" };

function streamOf(chunk: string, count: number): ReadableStream<Uint8Array> {
  let left = count;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new TextEncoder().encode(chunk));
      else controller.close();
    },
  });
}

export const badBodies: readonly BadRequest[] = [
  { id: "10 MB of JSON", body: () => `{${input}, "a": "${"x".repeat(1e7)}"}`, code: "too_large" },
  {
    id: "10 MB of JSON without a declared length",
    body: () => streamOf(" ".repeat(1e6), 10),
    code: "too_large",
  },
  {
    id: "100,000 levels with an Idempotency-Key",
    body: () => `{${input}, "sigma": ${nested(100_000)}}`,
    headers: { "idempotency-key": "levels" },
    code: "invalid_request",
  },
  {
    id: "a parameter in the query",
    path: `${sharpenPath}?sigma=2`,
    body: `{${input}}`,
    code: "invalid_parameter",
  },
  {
    id: "neither a text nor an image to draw",
    path: "/v1/document/watermark-pdf",
    body: `{${input}, "opacity": 1}`,
    code: "invalid_input",
  },
  {
    id: "a text and an image to draw",
    path: "/v1/document/watermark-pdf",
    body: `{${input}, "text": "A", "watermark_url": "https://example.com/a.png"}`,
    code: "invalid_input",
  },
  {
    id: "neither a text nor an image to draw, in a chain",
    path: "/v1/jobs",
    body: chain('{"type": "document/watermark-pdf"}'),
    code: "invalid_input",
  },
  {
    id: "a query with a chain",
    path: "/v1/jobs?foo=1",
    body: chain('{"type": "image/sharpen"}'),
    code: "invalid_parameter",
  },
  { id: "33 levels", body: `{${input}, "metadata": ${nested(33)}}`, code: "invalid_request" },
  {
    id: "33 levels in a form's JSON",
    body: form(field("input", "http://10.0.0.1/"), field("metadata", nested(33))),
    headers: formType,
    code: "invalid_request",
  },
  {
    id: "50,000 headers",
    path: "/v1/document/html-to-pdf",
    body: `{${input}, "headers": ${manyFields(50_000)}}`,
    code: "invalid_request",
  },
  {
    id: "3,000 headers in a form",
    path: "/v1/document/html-to-pdf",
    body: form(field("input", "http://10.0.0.1/"), field("headers", manyFields(3000))),
    headers: formType,
    code: "invalid_parameter",
  },
  { id: "3,000 unknown fields", body: manyFields(3000), code: "invalid_parameter" },
  {
    id: "3,000 fields of metadata",
    body: `{${input}, "metadata": ${manyFields(3000)}}`,
    code: "invalid_parameter",
  },
  {
    id: "300,000 objects",
    path: "/v1/document/fill-template",
    body: `{${input}, "data": {"items": [${Array(300_000).fill("{}")}]}}`,
    code: "invalid_request",
  },
  ...["NaN", "-Infinity", "0x10", ".5", "+1", "01", "1_000", "'1'", "undefined"].map((value) => ({
    id: `a number written ${value}`,
    body: `{${input}, "sigma": ${value}}`,
    code: "invalid_request" as const,
  })),
  ...["-0", "1e400", "1e308", "9007199254740993", "[1]", "{}", "true", '"1"', "null"].map(
    (value) => ({
      id: `the number ${value}`,
      body: `{${input}, "sigma": ${value}}`,
      code: "invalid_parameter" as const,
    }),
  ),
  ...["", " ", "1 000", "0x1", "1e999", "NaN", "Infinity", "1,5", "１"].map((value) => ({
    id: `the number ${JSON.stringify(value)} in a form`,
    body: form(field("input", "http://10.0.0.1/"), field("sigma", value)),
    headers: formType,
    code: "invalid_parameter" as const,
  })),
  {
    id: "a million digits in a form",
    body: form(field("input", "http://10.0.0.1/"), field("sigma", `${"0".repeat(1_000_000)}x`)),
    headers: formType,
    code: "invalid_parameter",
  },
  {
    id: "__proto__ in the metadata",
    body: `{${input}, "metadata": {"__proto__": "x"}}`,
    code: "invalid_parameter",
  },
  {
    id: "__proto__ in a form",
    body: form(field("input", "http://10.0.0.1/"), field("__proto__", "x")),
    headers: formType,
    code: "invalid_parameter",
  },
  {
    id: "__proto__ in a form's JSON",
    body: form(field("input", "http://10.0.0.1/"), field("metadata", '{"__proto__": {"a": "b"}}')),
    headers: formType,
    code: "invalid_parameter",
  },
  ...[
    '{"type": "image/sharpen", "params": {"__proto__": {"sigma": 2}}}',
    '{"type": "image/sharpen", "__proto__": {"params": {}}}',
    '{"type": "__proto__"}',
    '{"type": "constructor"}',
    '{"type": "image/../image/sharpen"}',
    String.raw`{"type": "\ud800"}`,
    '{"type": 7}',
    '"image/sharpen"',
  ].map((step) => ({
    id: `the step ${step}`,
    path: "/v1/jobs",
    body: chain(step),
    code: "invalid_parameter" as const,
  })),
  ...[
    { metadata: { a: "\0" } },
    { metadata: { "\0": "a" } },
    { metadata: { a: "\ud800" } },
    { metadata: { "\udc00": "a" } },
    { metadata: { a: "x".repeat(501) } },
    { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, index) => [index, "x"])) },
    { metadata: [] },
    { webhook_url: "http://a/\0" },
    { webhook_url: ["http://a/"] },
    { input: "http://10.0.0.1/\0" },
    { input: ["http://10.0.0.1/"] },
    { input: {} },
    { input: "" },
    { input: `upload_${"0".repeat(24)}` },
    { inputs: ["http://10.0.0.1/"] },
    { file: "x" },
    { "\0": 1 },
    { account_id: "acc_1" },
    { plan: "enterprise" },
  ].map((fields) => ({
    id: JSON.stringify(fields).slice(0, 60),
    body: JSON.stringify({ input: "http://10.0.0.1/", ...fields }),
    code: "invalid_parameter" as const,
  })),
  ...[
    "a\0b",
    "\ud800",
    "\udc00\ud800",
    "a\u001b[0m",
    "a\u0080",
    "a\u0085b",
    "a\u009b0m",
    "x".repeat(1_000_000),
    "",
    "x".repeat(501),
  ].map((text) => ({
    id: `the text ${JSON.stringify(text).slice(0, 20)} of ${text.length} characters`,
    path: "/v1/image/watermark-text",
    body: JSON.stringify({ input: "http://10.0.0.1/", text }),
    code: "invalid_parameter" as const,
  })),
  ...[
    "text/json",
    "application/ld+json",
    "application/json, multipart/form-data",
    "multipart/mixed; boundary=b",
    "json",
  ].map((type) => ({
    id: `the type ${type}`,
    body: `{${input}}`,
    headers: { "content-type": type },
    code: "unsupported_media_type" as const,
  })),
  {
    id: "a compressed body",
    body: `{${input}}`,
    headers: { "content-encoding": "gzip" },
    code: "unsupported_media_type",
  },
  ...["", "k".repeat(256), "k".repeat(300)].map((key) => ({
    id: `an Idempotency-Key of ${key.length} characters`,
    body: `{${input}}`,
    headers: { "idempotency-key": key },
    code: "invalid_parameter" as const,
  })),
];

/** Queries of `GET /v1/jobs/{id}`. */
export const badJobQueries = ["foo=1", "wiat=30", "wait=0", "wait=61", "wait=30&wait=30"];

/** Queries of `GET /v1/jobs`. */
export const badQueries = [
  "limit=1e9",
  "limit=1000000000",
  "limit=",
  "limit=%00",
  "limit=-1",
  "limit=1.0",
  "limit=0x10",
  "limit=%EF%BC%91",
  "limit=20&limit=20",
  "offset=-1",
  "offset=1e3",
  "offset=99999999999999999999",
  "status=",
  "status=completed&status=failed",
  "status=Completed",
  "operation=%00",
  "operation=%FF",
  "operation='%20or%201=1",
  `operation=${"a".repeat(5000)}`,
  "created_after=0000-01-01T00:00:00Z",
  "created_before=9999-12-31T23:59:59-23:59",
  "created_before=2026-02-30T00:00:00Z",
  "created_before=2026-11-20",
  "created_before=1e9",
  "constructor=1",
] as const;
