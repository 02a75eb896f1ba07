import { describe, expect, it } from "vitest";
import { GotenbergError } from "#lib/gotenberg/base/errors.ts";
import { parseSettings } from "#lib/gotenberg/base/settings.ts";
import { parseDownloads } from "#lib/gotenberg/form/download-files.ts";
import { readWebhook } from "#lib/gotenberg/webhooks/read-webhook.ts";

describe("downloadFrom", () => {
  it.each([
    ["[{]", "invalid character ']' looking for beginning of object key string"],
    ["{}", "json: cannot unmarshal object into Go value of type []api.downloadFrom"],
    ["[1]", "json: cannot unmarshal number into Go value of type api.downloadFrom"],
    [
      '[{"url":1}]',
      "json: cannot unmarshal number into Go struct field downloadFrom.url of type string",
    ],
    [
      '[{"extraHttpHeaders":[]}]',
      "json: cannot unmarshal array into Go struct field downloadFrom.extraHttpHeaders of type map[string]string",
    ],
    [
      '[{"extraHttpHeaders":{"a":1}}]',
      "json: cannot unmarshal number into Go struct field downloadFrom.extraHttpHeaders of type string",
    ],
    [
      '[{"embedded":"x"}]',
      "json: cannot unmarshal string into Go struct field downloadFrom.embedded of type bool",
    ],
    [
      '[{"field":1}]',
      "json: cannot unmarshal number into Go struct field downloadFrom.field of type string",
    ],
    ["", "unexpected end of JSON input"],
    ['"x"', "json: cannot unmarshal string into Go value of type []api.downloadFrom"],
  ])("rejects %s", (text, fault) => {
    const message = `Invalid 'downloadFrom' form field value: ${fault}`;
    expect(() => parseDownloads(text)).toThrow(new GotenbergError(400, message));
  });

  it("null is no entry, and an entry that is null has no URL", () => {
    expect(parseDownloads("null")).toEqual([]);
    const message = "Invalid 'downloadFrom' form field entry 0: URL must be set";
    expect(() => parseDownloads("[null]")).toThrow(new GotenbergError(400, message));
  });

  it.each([{ "X Y": "a" }, { "X-A": "a\r\nB: c" }, { "X-A": "ü" }, { "": "a" }])(
    "rejects headers that cannot be sent: %j",
    (extraHttpHeaders) => {
      const text = JSON.stringify([{ url: "a" }, { url: "b", extraHttpHeaders }]);
      const message =
        "Invalid 'downloadFrom' form field entry 1: a name or value of 'extraHttpHeaders' is not valid";
      expect(() => parseDownloads(text)).toThrow(new GotenbergError(400, message));
    },
  );

  it("takes 100 entries", () => {
    const entries = (count: number) => JSON.stringify(Array(count).fill({ url: "a" }));
    expect(parseDownloads(entries(100))).toHaveLength(100);
    const message = "Invalid 'downloadFrom' form field value: more than 100 entries";
    expect(() => parseDownloads(entries(101))).toThrow(new GotenbergError(400, message));
  });

  it("reads the entries", () => {
    const text =
      '[{"url":"https://a.example","extraHttpHeaders":{"X-A":"b"},"field":"stamp"},{"url":"c","embedded":true}]';
    expect(parseDownloads(text)).toEqual([
      { url: "https://a.example", headers: { "x-a": "b" }, field: "stamp" },
      { url: "c", headers: {}, field: "embeds" },
    ]);
  });
});

describe("Gotenberg-Webhook-Extra-Http-Headers", () => {
  const read = (text: string) => {
    const headers = new Headers({
      "Gotenberg-Webhook-Url": "https://example.com/",
      "Gotenberg-Webhook-Events-Url": "https://example.com/",
      "Gotenberg-Webhook-Extra-Http-Headers": text,
    });
    return readWebhook(headers, parseSettings(new Map()))?.headers;
  };

  it.each([
    ["{bad", "invalid character 'b' looking for beginning of object key string"],
    ["[]", "json: cannot unmarshal array into Go value of type map[string]string"],
    ['{"a":1}', "json: cannot unmarshal number into Go value of type string"],
  ])("rejects %s", (text, fault) => {
    const message = `Invalid 'Gotenberg-Webhook-Extra-Http-Headers' header value: ${fault}`;
    expect(() => read(text)).toThrow(new GotenbergError(400, message));
  });

  it("null is none", () => {
    expect(read("null")).toEqual({});
    expect(read('{"X-A":"b"}')).toEqual({ "x-a": "b" });
  });
});
