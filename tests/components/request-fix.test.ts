import { describe, expect, it } from "vitest";
import { toCurl } from "#components/requests/logged-call.ts";
import { readRejection } from "#components/requests/rejected-field.ts";
import { findFix } from "#components/requests/request-fix.ts";
import { outputSchema, reportInput, schemaMessage } from "#lib/api/http/schema-messages.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";

/** The request that the service rejected with its own message. */
function reject(id: string, fields: Record<string, unknown>) {
  const params = findOperation(id)?.params;
  if (!params) throw new Error(`no operation ${id}`);
  const { error } = params.safeParse(fields, reportInput);
  const message =
    error && schemaMessage(error, outputSchema(params), ["input", "webhook_url", "metadata"]);
  return { method: "POST", path: `/v1/${id}`, params: { fields }, error: message ?? null };
}

describe("the fix of a rejected request", () => {
  it.each<[string, Record<string, unknown>, Record<string, unknown>, string, string]>([
    ["image/resize", { widht: 800 }, { width: 800 }, "widht: 800", "width: 800"],
    [
      "image/resize",
      { width: 64, webhok_url: "https://a.example/" },
      { width: 64, webhook_url: "https://a.example/" },
      "webhok_url: https://a.example/",
      "webhook_url: https://a.example/",
    ],
    ["image/resize", { width: -5 }, { width: 1 }, "width: -5", "width: 1"],
    ["image/resize", { width: "640" }, { width: 640 }, "width: 640", "width: 640"],
    [
      "image/resize",
      { width: 8, fit: "contian" },
      { width: 8, fit: "contain" },
      "fit: contian",
      "fit: contain",
    ],
    ["image/convert", { format: "jpg" }, { format: "jpeg" }, "format: jpg", "format: jpeg"],
    [
      "image/sharpen",
      { "metadata[order]": 113, "metadata[shop]": "4", sigma: 2 },
      { metadata: { order: "113", shop: "4" }, sigma: 2 },
      "metadata[order]: 113\nmetadata[shop]: 4",
      'metadata: {"order":"113","shop":"4"}',
    ],
  ])("%s %j is %j", (id, given, fields, before, after) => {
    const fix = findFix(reject(id, given));
    expect(fix?.request.params.fields).toEqual(fields);
    expect(fix).toMatchObject({ before, after });
  });

  it.each<[string, string, Record<string, unknown>]>([
    ["the right name is there too", "image/resize", { widht: 800, width: 640 }],
    ["nothing is similar", "image/resize", { radius: 1 }],
    ["a value is missing", "image/watermark-text", {}],
    ["a number is not whole", "video/framerate", { fps: 1.5 }],
    ["a value is similar to none", "image/resize", { width: 8, fit: "zoom" }],
  ])("there is none if %s", (_name, id, given) => {
    const request = reject(id, given);
    expect(request.error).not.toBeNull();
    expect(findFix(request)).toBeUndefined();
  });

  it("is the suggested path", () => {
    const error =
      "There is no such operation. Did you mean `image/resize`? See GET /v1/operations.";
    const request = { method: "POST", path: "/v1/image/rezise", params: { fields: { width: 8 } } };
    const fix = findFix({ ...request, error });
    expect(fix?.request.path).toBe("/v1/image/resize");
    expect(fix && toCurl(fix.request, "http://localhost")).toContain("/v1/image/resize");
    const unsure = error.replace("?", " or `video/resize`?");
    expect(findFix({ ...request, error: unsure })).toBeUndefined();
  });

  it.each<[string, unknown[], string, unknown[], string, string]>([
    [
      "a parameter of a step",
      [
        { type: "image/resize", params: { width: 9 } },
        { type: "image/crop", params: { widht: 4 } },
      ],
      "Operation 2, image/crop: `widht` is not a parameter. Did you mean `width`?",
      [
        { type: "image/resize", params: { width: 9 } },
        { type: "image/crop", params: { width: 4 } },
      ],
      "operations[1].params.widht: 4",
      "operations[1].params.width: 4",
    ],
    [
      "a number of a step",
      [{ type: "image/resize", params: { width: -5 } }],
      "Operation 1, image/resize: `width` must be at least 1.",
      [{ type: "image/resize", params: { width: 1 } }],
      "operations[0].params.width: -5",
      "operations[0].params.width: 1",
    ],
    [
      "the type of a step",
      [{ type: "image/rezise", params: { width: 8 } }],
      "Operation 1: `type` has no such value. Did you mean `image/resize`? See GET /v1/operations.",
      [{ type: "image/resize", params: { width: 8 } }],
      "operations[0].type: image/rezise",
      "operations[0].type: image/resize",
    ],
  ])("is %s of a chain", (_name, operations, error, fixed, before, after) => {
    const params = { fields: { operations, input: "https://a.example/photo.jpg" } };
    const fix = findFix({ method: "POST", path: "/v1/jobs", params, error });
    expect(fix?.request.params.fields).toEqual({ ...params.fields, operations: fixed });
    expect(fix).toMatchObject({ before, after, step: operations.length - 1 });
  });

  it("is a name of the query", () => {
    const error =
      "`statsu` is not a parameter. Did you mean `status`? Allowed parameters: `limit`, `status`.";
    const request = { method: "GET", path: "/v1/jobs", params: { query: { statsu: "failed" } } };
    expect(findFix({ ...request, error })?.request.params.query).toEqual({ status: "failed" });
  });
});

it.each([
  [
    "`metadata[order]` is not a parameter. Send `metadata` as one field with JSON.",
    "metadata[order]",
    undefined,
  ],
  [
    "Operation 2, image/crop: `widht` is not a parameter. Did you mean `width`?",
    "widht",
    "image/crop",
  ],
  ["A field is not a parameter. Allowed parameters: `width`, `height`.", undefined, undefined],
  ["A field is not a parameter. There are none. Other fields: `input`.", undefined, undefined],
  ["`bookmarks[0].page` must be an integer from 1 to 100.", "bookmarks", undefined],
  ["`bookmarks[0].titel` is not a parameter. Did you mean `title`?", "bookmarks", undefined],
  [
    "Operation 2, document/protect-pdf: `permissions[1]` has no such value. Did you mean `copy`?",
    "permissions",
    "document/protect-pdf",
  ],
  ["The file is empty.", undefined, undefined],
])("%s is about %s", (message, field, operation) => {
  expect(readRejection(message)).toMatchObject({ field, operation });
});
