import { describe, expect, it } from "vitest";
import {
  noTarget,
  type OutputTarget,
  targetFields,
} from "#components/playground/connections/output-target.ts";
import { describeOperation } from "#components/playground/describe-operation.ts";
import { writeRequest } from "#components/playground/exchange/raw-request.ts";
import type { JobOptions } from "#components/playground/form/job-options.ts";
import { writeResponse } from "#components/playground/form/raw-response.ts";
import { examplePath } from "#components/playground/options/output/example-path.ts";
import { readOptions } from "#components/playground/options/read-options.ts";
import { validateOptions } from "#components/playground/options/validate-options.ts";
import { pathOfSteps } from "#components/playground/steps/link.ts";
import { toRunRequest } from "#components/playground/steps/run-request.ts";
import { createStep } from "#components/playground/steps/step.ts";
import { parseTarget } from "#lib/api/job-creation/export-target.ts";
import { parseCommonFields } from "#lib/api/job-creation/job-request.ts";
import { RequestError } from "#lib/errors.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";

function step(id: string, values: Record<string, string>) {
  const operation = findOperation(id);
  if (!operation) throw new Error(`there is no ${id}`);
  return createStep(describeOperation(operation), values);
}

const options: JobOptions = {
  webhookUrl: " https://example.com/hook?token=1 ",
  metadata: [
    { name: "order", value: "12 & 13" },
    { name: "", value: "" },
  ],
};

/** Options with a target in a connection, apart from `part` of it. */
const target = (part: Partial<OutputTarget>): JobOptions => ({
  webhookUrl: "",
  metadata: [],
  target: { ...noTarget, kind: "connection", connection: `conn_${"a".repeat(24)}`, ...part },
});

const entries = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ name: `name ${index}`, value: "x" }));

describe("webhook and metadata in the form", () => {
  it.each([
    ["nothing", { webhookUrl: "", metadata: [] }],
    ["a URL and a value", options],
    ["no URL", { webhookUrl: "example.com", metadata: [] }],
    ["another protocol", { webhookUrl: "ftp://example.com/", metadata: [] }],
    ["a password", { webhookUrl: "https://a:b@example.com/", metadata: [] }],
    ["a long URL", { webhookUrl: `https://example.com/${"x".repeat(2048)}`, metadata: [] }],
    ["sixteen values", { webhookUrl: "", metadata: entries(16) }],
    ["seventeen values", { webhookUrl: "", metadata: entries(17) }],
    ["a long value", { webhookUrl: "", metadata: [{ name: "a", value: "x".repeat(501) }] }],
    ["a long name", { webhookUrl: "", metadata: [{ name: "x".repeat(501), value: "" }] }],
    ["NUL", { webhookUrl: "", metadata: [{ name: "a", value: "\0" }] }],
  ] satisfies [string, JobOptions][])("%s is checked as the API does it", async (_, given) => {
    const request = toRunRequest([step("image/resize", { width: "3" })], {}, given);
    const fields = Object.fromEntries(request?.fields ?? []);
    const found = await parseCommonFields(
      { fields, files: {}, inputs: [], encoding: "multipart" },
      "acc_1",
      ["image/resize"],
    ).then(
      () => undefined,
      (error: Error) => error.message,
    );
    expect(validateOptions(given)?.message).toBe(found);
  });

  it("a value without a name, or a name that is there twice, would be lost", () => {
    const metadata = [{ name: "a", value: "1" }];
    const check = (more: JobOptions["metadata"]) =>
      validateOptions({ webhookUrl: "", metadata: [...metadata, ...more] })?.message;
    expect(check([{ name: "", value: "2" }])).toBe("Each value of `metadata` needs a name.");
    expect(check([{ name: "a", value: "2" }])).toContain("must be different");
  });

  it("a link restores them, and nothing that the API would not accept", () => {
    const path = pathOfSteps([step("image/resize", { width: "320" })], options);
    const { searchParams } = new URL(path, "https://example.com");
    const metadata: unknown = JSON.parse(searchParams.get("metadata") ?? "");
    expect(readOptions({ webhook_url: searchParams.get("webhook_url"), metadata })).toEqual({
      webhookUrl: "https://example.com/hook?token=1",
      metadata: [{ name: "order", value: "12 & 13" }],
    });
    const bad = { webhook_url: "x".repeat(3000), metadata: { a: { b: 1 } } };
    expect(readOptions(bad)).toEqual({ webhookUrl: "", metadata: [] });
  });
});

describe("the target of the outputs", () => {
  it("is restored from a link and from a request, but no presigned URL is", () => {
    const { target: given } = target({ path: "a/{n}.{ext}", overwrite: true, keep: true });
    if (!given) throw new Error("no target");
    expect(readOptions(targetFields(given))).toMatchObject({ target: given });
    const url = target({ kind: "url", url: "https://example.com/a?signature=canary" });
    expect(pathOfSteps([step("image/resize", {})], url)).not.toContain("canary");
    expect(readOptions({ output: { url: "https://example.com/a" } }).target).toBeUndefined();
    expect(readOptions({ output: { connection: "other" } }).target).toBeUndefined();
  });

  it.each([
    ["a connection", target({})],
    ["a presigned URL", target({ kind: "url", url: "https://example.com/a?b=c" })],
    ["a presigned URL that is none", target({ kind: "url", url: "example.com" })],
    ["a presigned URL with a password", target({ kind: "url", url: "https://a:b@example.com/" })],
    ["a path out of the connection", target({ path: "../a" })],
    ["an unknown placeholder", target({ path: "a/{dat}" })],
    ["a single brace", target({ path: "a{b" })],
    ["a long path", target({ path: "x".repeat(1025) })],
    ["an empty path", target({ path: " " })],
  ] satisfies [string, JobOptions][])("%s is checked as the API does it", (_, given) => {
    const request = toRunRequest([step("image/resize", { width: "3" })], {}, given);
    const { output, keep } = Object.fromEntries(request?.fields ?? []);
    const find = () => {
      try {
        parseTarget(output, keep, "multipart");
        return undefined;
      } catch (error) {
        return error instanceof RequestError ? error.message : String(error);
      }
    };
    expect(validateOptions(given)?.message).toBe(find());
  });

  it("needs a connection", () => {
    expect(validateOptions(target({ connection: "" }))).toMatchObject({ field: "output" });
  });

  const file = { kind: "url", url: "https://example.com/in/фото.jpg?x=1" } as const;
  const reference = { kind: "url", url: `conn_${"a".repeat(24)}:a/b #1?.jpg` } as const;
  it.each([
    ["image/resize", {}, file, "фото-resize.jpg"],
    ["image/convert", { format: "webp" }, reference, "b #1?.webp"],
    ["document/html-to-pdf", {}, undefined, "example.pdf"],
  ] as const)("its path is shown for %s", (id, values, source, name) => {
    const example = { steps: [step(id, values)], sources: source ? { file: [source] } : {} };
    const now = new Date("2026-11-26T10:00:00Z");
    expect(examplePath("{date}/{filename}", example, now)).toBe(`2026-11-26/${name}`);
    expect(examplePath("{dat}", example, now)).toBeUndefined();
  });
});

describe("the request and the response as text", () => {
  it("the request has all fields and describes its files; the key and secrets are masked", () => {
    const file = new File(["12345"], 'a "b".pdf', { type: "application/pdf" });
    const protect = step("document/protect-pdf", { password: "correct horse" });
    const request = toRunRequest([protect], { file: [{ kind: "file", file }] }, options, "hidden");
    const text = request ? writeRequest(request, "http://localhost:3000") : "";
    expect(text).toContain("POST /v1/document/protect-pdf HTTP/1.1\nHost: localhost:3000\n");
    expect(text).toContain("X-API-Key: ***");
    expect(text).toContain('name="password"\n\n***\n');
    expect(text).toContain('name="metadata"\n\n{"order":"12 & 13"}\n');
    expect(text).toContain(
      'name="file"; filename="a %22b%22.pdf"\nContent-Type: application/pdf\n',
    );
    expect(text).not.toContain("correct horse");
  });

  it("the response has its status, its headers in order and indented JSON", () => {
    const headers = "x-request-id: req_1\r\nlocation: /v1/jobs/job_1\r\n";
    expect(writeResponse({ status: 202, headers, body: { id: "job_1" } })).toBe(
      'HTTP/1.1 202\nlocation: /v1/jobs/job_1\nx-request-id: req_1\n\n{\n  "id": "job_1"\n}',
    );
  });
});
