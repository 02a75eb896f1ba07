import { describe, expect, it } from "vitest";
import { GotenbergError } from "#lib/gotenberg/base/errors.ts";
import { nestBookmarks } from "#lib/gotenberg/plan/bookmarks.ts";
import type { Plan, Step } from "#lib/gotenberg/plan/plan.ts";
import { routes } from "#lib/gotenberg/plan/routes.ts";
import { explainFailure } from "#lib/gotenberg/run/explain-failure.ts";
import { FailedJobError } from "#lib/gotenberg/run/run-job.ts";
import { groupSteps } from "#lib/gotenberg/run/run-plan.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { makeForm } from "./make-form.ts";

type Fields = Parameters<typeof makeForm>[0];
type Files = Parameters<typeof makeForm>[1];
type Types = Parameters<typeof makeForm>[2];

function plan(
  path: string,
  fields: Fields,
  files: Files,
  texts = new Map<string, string>(),
  types?: Types,
): Plan {
  const route = routes.get(path);
  if (!route) throw new Error(`there is no route ${path}`);
  return route.plan({ form: makeForm(fields, files, types), texts, runsScripts: true });
}

/** The operations of a plan and their parameters, which must be valid. */
function stepsOf({ steps }: Plan): [string, object][] {
  return steps.map(({ operation, params, paramsByName }) => {
    const given = paramsByName ? Object.fromEntries(paramsByName) : params;
    if (!paramsByName) findOperation(operation)?.params.parse(params);
    expect(findOperation(operation), operation).toBeDefined();
    return [operation, given];
  });
}

function firstStep({ steps: [first] }: Plan): Step {
  if (!first) throw new Error("the plan has no step");
  return first;
}

const pdfs = { files: ["page_1.pdf", "page_2.pdf"] };

describe("pages", () => {
  const page = { files: ["index.html", "style.css"] };

  it("prints with the settings of the form, and with the other files", () => {
    const fields = {
      paperWidth: "8.27",
      paperHeight: "297mm",
      marginTop: "1in",
      landscape: "true",
      waitDelay: "2s",
      waitForSelector: "#done",
      waitForExpression: "window.isReady",
      cookies: '[{"name":"a","value":"b","domain":".example.com","sameSite":"Lax"}]',
      extraHttpHeaders: '{"X-A":"b","X-B":"c; d;scope=^https?://.*"}',
      emulatedMediaType: "screen",
      failOnResourceHttpStatusCodes: "[499,503]",
      nativePageRanges: "1-2",
      pdfa: "PDF/A-2b",
    };
    const texts = new Map([["header.html", "<p>top</p>"]]);
    const planned = plan("forms/chromium/convert/html", fields, page, texts);
    const [print, archive] = stepsOf(planned);
    expect(print?.[1]).toMatchObject({
      page_size: "8.27in x 11.692913in",
      margin: "1in 0.39in 0.39in 0.39in",
      landscape: true,
      wait_for: ["#done", 2000],
      wait_for_expression: "window.isReady",
      cookies: [{ name: "a", value: "b", domain: "example.com" }],
      headers: { "X-A": "b", "X-B": { value: "c;  d", scope: "^https?://.*" } },
      media: "screen",
      fail_on_status: "4xx,503",
      page_ranges: "1-2",
      header_html: "<p>top</p>",
      print_background: false,
    });
    expect(archive).toEqual(["document/pdf-a", { level: "2b" }]);
    expect(planned.steps[0]?.parts?.assets).toEqual({ zip: expect.any(Map) });
    expect(planned.source).toMatchObject({ files: [{ filename: "index.html" }] });
  });

  it("waits for the status of the window, and then for the expression", () => {
    const wanted = (fields: Record<string, string>) =>
      stepsOf(plan("forms/chromium/convert/html", fields, page))[0]?.[1];
    const status = 'window.status === "ready"';
    expect(wanted({ waitWindowStatus: "ready" })).toMatchObject({ wait_for_expression: status });
    const both = wanted({ waitWindowStatus: "ready", waitForExpression: "a; b" });
    expect(both).toMatchObject({ wait_for_expression: `${status} && (0, eval)("a; b")` });
  });

  it.each([
    [{ omitBackground: "true" }, "omitBackground requires printBackground set to true"],
    [
      { nativePageRanges: "foo" },
      "Chromium does not handle the page ranges 'foo' (nativePageRanges) syntax",
    ],
    [
      { cookies: '[{"name":"a","value":"b"}]' },
      `Invalid form data: form field 'cookies' is invalid (got '[{"name":"a","value":"b"}]', resulting to cookie 0 must have its name, value and domain set)`,
    ],
    [
      { extraHttpHeaders: '{"foo":"bar;scope;;"}' },
      `Invalid form data: form field 'extraHttpHeaders' is invalid (got '{"foo":"bar;scope;;"}', resulting to invalid scope '' for header 'foo')`,
    ],
    [
      { extraHttpHeaders: '{"foo":"bar;scope=*."}' },
      `Invalid form data: form field 'extraHttpHeaders' is invalid (got '{"foo":"bar;scope=*."}', resulting to invalid scope regex pattern for header 'foo': error parsing regexp: missing argument to repetition operator in \`*.\`)`,
    ],
    [
      { extraHttpHeaders: `{"a":";scope=${"b".repeat(1000)};scope=${"c".repeat(1037)}"}` },
      "resulting to too long scopes, got 2049 characters, expected at most 2048)",
    ],
    [
      { pdfa: "foo" },
      "The requested PDF format is not supported, or no PDF engine could apply it. Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.",
    ],
    [{ pdfa: "constructor" }, "The requested PDF format is not supported"],
    [
      { stampSource: "pdf", stampExpression: "/etc/hostname" },
      "Invalid form data: a stamp file is required for image or pdf source",
    ],
    [
      { userPassword: "a", pdfa: "PDF/A-2b" },
      "Invalid form data: PDF/A format is incompatible with encryption",
    ],
  ])("rejects %j", (fields, message) => {
    expect(() => plan("forms/chromium/convert/html", fields, page)).toThrow(message);
  });

  it("names the Markdown files that are missing", () => {
    const texts = new Map([
      ["index.html", '{{ toHTML "a.md" }} {{ toHTML "b.md" }} {{toHTML "c.md"}}'],
    ]);
    const files = { files: ["index.html", "a.md"] };
    expect(() => plan("forms/chromium/convert/markdown", {}, files, texts)).toThrow(
      "Markdown file(s) not found: 'b.md'\n'c.md'",
    );
  });

  it("lists the resources that failed as Gotenberg does", () => {
    const { explain } = plan("forms/chromium/convert/html", {}, page);
    const explained = (message: string) =>
      explain?.({
        code: "fetch_failed",
        operation: "document/html-to-pdf",
        filename: undefined,
        message,
        formMessage: message,
      });
    expect(
      explained(
        "The servers of some resources responded with errors: image https://a.example/b,c.png (status 404), style sheet https://a.example/d.css (status 400).",
      ),
    ).toMatchObject({
      status: 409,
      message:
        "Invalid HTTP status code from resources:\nhttps://a.example/b,c.png - 404: Not Found\nhttps://a.example/d.css - 400: Bad Request",
    });
    expect(
      explained(
        "Some resources got no response: style sheet a.css, script https://a.example/ (the server refused the connection), 3 more.",
      ),
    ).toMatchObject({
      status: 409,
      message:
        "Chromium failed to load resources: resource Stylesheet: net::ERR_FILE_NOT_FOUND\nresource Script: net::ERR_CONNECTION_REFUSED",
    });
  });

  it("captures what is in the window only with clip", () => {
    const screenshot = (fields: Fields) =>
      stepsOf(plan("forms/chromium/screenshot/html", fields, page))[0]?.[1];
    expect(screenshot({})).toMatchObject({
      width: 800,
      height: 600,
      full_page: true,
      format: "png",
    });
    expect(screenshot({ clip: "true", format: "jpeg", quality: "40" })).toMatchObject({
      full_page: false,
      quality: 40,
    });
  });
});

describe("office documents", () => {
  it("are converted, merged and finished in Gotenberg's order", () => {
    const fields = {
      merge: "true",
      metadata: '{"Author":"A"}',
      rotateAngle: "90",
      flatten: "true",
    };
    const files = { files: ["b.docx", "a.docx"] };
    const steps = stepsOf(plan("forms/libreoffice/convert", fields, files));
    expect(steps.map(([operation]) => operation)).toEqual([
      "document/doc-to-pdf",
      "document/merge-pdf",
      "document/rotate-pdf",
      "document/flatten-pdf",
      "document/set-metadata",
    ]);
  });

  it("and other files have the operation of their type", () => {
    const files = { files: ["a.docx", "b.png", "c.html", "d.pdf"] };
    const tasks = (fields: Fields) => {
      const { steps } = plan("forms/libreoffice/convert", fields, files);
      return Object.fromEntries(steps[0]?.otherTasks ?? []);
    };
    expect(tasks({ nativePageRanges: "1-2" })).toEqual({
      "b.png": { operation: "document/images-to-pdf", params: {} },
      "c.html": {
        operation: "document/html-to-pdf",
        params: { landscape: false, page_ranges: "1-2" },
      },
      "d.pdf": { operation: "document/extract-pages", params: { pages: "1-2" } },
    });
    expect(tasks({})).toMatchObject({ "d.pdf": undefined });
  });

  it("pass the options that are set", () => {
    const fields = {
      landscape: "true",
      quality: "50",
      nativeWatermarkText: "DRAFT",
      password: "p",
    };
    const [convert] = stepsOf(plan("forms/libreoffice/convert", fields, { files: ["a.docx"] }));
    expect(convert?.[1]).toEqual({
      password: "p",
      export_options: { landscape: true, quality: 50, watermark: "DRAFT" },
    });
  });

  it("name the password as the reason", () => {
    const { explain } = plan("forms/libreoffice/convert", {}, { files: ["a.docx"] });
    const failure = {
      code: "encrypted",
      message: "",
      formMessage: "",
      operation: "document/doc-to-pdf",
      filename: "a.docx",
    };
    expect(explain?.(failure)).toMatchObject({
      status: 400,
      message:
        "The document 'a.docx' is password-protected. Provide its password in the 'password' form field.",
    });
  });
});

describe("PDF files", () => {
  it("bookmarks by file are written before the merge, and kept", () => {
    const fields = {
      bookmarks: '{"page_1.pdf":[{"title":"A","page":1,"children":[{"title":"B","page":1}]}]}',
    };
    const steps = stepsOf(plan("forms/pdfengines/merge", fields, pdfs));
    expect(steps).toEqual([
      [
        "document/bookmarks",
        {
          "page_1.pdf": {
            bookmarks: [
              { title: "A", page: 1, level: 1 },
              { title: "B", page: 1, level: 2 },
            ],
          },
          "page_2.pdf": { bookmarks: [] },
        },
      ],
      ["document/merge-pdf", { bookmarks: "keep" }],
    ]);
  });

  it.each([
    [{ splitMode: "intervals", splitSpan: "2" }, "document/split-pdf", { every: 2 }],
    [{ splitMode: "pages", splitSpan: "2-" }, "document/split-pdf", { pages: "2-last" }],
    [
      { splitMode: "pages", splitSpan: "1-2", splitUnify: "true" },
      "document/extract-pages",
      { pages: "1-2" },
    ],
    [
      { splitMode: "pages", splitSpan: "odd, !l - 2 -", splitUnify: "true" },
      "document/extract-pages",
      { pages: "odd,!r3-last" },
    ],
  ])("are split by %j", (fields, operation, params) => {
    expect(stepsOf(plan("forms/pdfengines/split", fields, pdfs))).toEqual([[operation, params]]);
  });

  it("several stamps are drawn in order, watermarks under the content", () => {
    const fields = { stampSource: ["text", "image"], stampExpression: ["A"], stampPages: ["1-3"] };
    const files = { ...pdfs, stamp: ["logo.png"] };
    const { steps } = plan("forms/pdfengines/stamp", fields, files);
    expect(steps.map(({ params, parts }) => [params, parts?.watermark])).toMatchObject([
      [{ text: "A", pages: "1-3" }, undefined],
      [{}, { filename: "logo.png" }],
    ]);
    const watermark = { watermarkSource: "text", watermarkExpression: "A" };
    const [under] = plan("forms/pdfengines/watermark", watermark, pdfs).steps;
    expect(under?.params).toMatchObject({ layer: "under" });
  });

  it.each([
    [undefined, { angle: -45, opacity: 1, scale: 0.5 }],
    ['{"position":"constructor"}', { angle: -45, opacity: 1, scale: 0.5 }],
    ['{"position":"br"}', { angle: -45, opacity: 1, scale: 0.5, position: "bottom-right" }],
    [
      '{"rotation":"0","opacity":"0.2","scalefactor":"0.3 rel"}',
      { angle: -0, opacity: 0.2, scale: 0.3 },
    ],
  ])("a stamp with the options %j has the defaults of pdfcpu", (options, params) => {
    const fields = { stampSource: "image", ...(options ? { stampOptions: options } : {}) };
    const { steps } = plan("forms/pdfengines/stamp", fields, { ...pdfs, stamp: ["logo.png"] });
    expect(steps[0]?.params).toEqual(params);
  });

  it("an owner password alone leaves the file open to all", () => {
    const fields = { ownerPassword: "o", allowCopying: "false" };
    const [encrypt] = stepsOf(plan("forms/pdfengines/encrypt", fields, pdfs));
    expect(encrypt?.[1]).toEqual({
      owner_password: "o",
      permissions: ["print", "modify", "annotate", "fill-forms", "assemble"],
    });
  });

  it.each([
    ["merge", {}, {}, "no form file found for extensions: [.pdf]"],
    ["split", { splitMode: "pages" }, pdfs, "form field 'splitSpan' is required"],
    ["convert", {}, pdfs, "either 'pdfa' or 'pdfua' form fields must be provided"],
    ["encrypt", {}, pdfs, "a 'userPassword' or 'ownerPassword' is required"],
    ["rotate", {}, pdfs, "form field 'rotateAngle' is required"],
    ["stamp", {}, pdfs, "form field 'stampSource' is required"],
    [
      "stamp",
      { stampSource: "text", stampExpression: "A", stampPages: "first" },
      pdfs,
      "form field 'stampPages' is invalid (got 'first', resulting to wrong value, expected page numbers and ranges such as '1-3,5,7-', 'l', 'l-2-', 'odd', 'even' or '1-,!4')",
    ],
    [
      "rotate",
      { rotateAngle: "90", rotatePages: "0" },
      pdfs,
      "form field 'rotatePages' is invalid (got '0', resulting to wrong value, expected page numbers",
    ],
    ["metadata/write", {}, pdfs, "form field 'metadata' is required"],
  ])("rejects %s %j", (route, fields, files, message) => {
    expect(() => plan(`forms/pdfengines/${route}`, fields, files)).toThrow(
      `Invalid form data: ${message}`,
    );
  });

  it.each([
    ["merge", {}],
    ["split", { splitMode: "pages", splitSpan: "1" }],
    ["convert", { pdfa: "PDF/A-2b" }],
    ["flatten", {}],
    ["optimize", {}],
    ["encrypt", { userPassword: "a" }],
    ["rotate", { rotateAngle: "90" }],
    ["stamp", { stampSource: "text", stampExpression: "A" }],
    ["watermark", { watermarkSource: "text", watermarkExpression: "A" }],
    ["embed", {}],
    ["metadata/read", {}],
    ["metadata/write", { metadata: "{}" }],
    ["bookmarks/read", {}],
    ["bookmarks/write", { bookmarks: "[]" }],
  ])("are PDF files by their content: %s", (route, fields) => {
    const types = new Map([
      ["page_1.pdf", "txt"],
      ["page_2.pdf", "unknown"],
    ] as const);
    expect(() => plan(`forms/pdfengines/${route}`, fields, pdfs, undefined, types)).toThrow(
      new GotenbergError(
        400,
        "Invalid form data: form file 'page_1.pdf' is invalid (its content is not a PDF, but plain text)\nform file 'page_2.pdf' is invalid (its content is not a PDF, but of an unknown type)",
      ),
    );
  });

  it.each([
    ["pdf", "logo.png", "not a PDF, but PNG"],
    ["image", "logo.pdf", "not an image, but PDF"],
  ])("get a stamp of the source %s only", (source, name, problem) => {
    const files = { ...pdfs, stamp: [name] };
    expect(() => plan("forms/pdfengines/stamp", { stampSource: source }, files)).toThrow(
      `Invalid form data: form file '${name}' is invalid (its content is ${problem})`,
    );
  });

  it("listed bookmarks become a tree", () => {
    const listed = [
      { title: "A", page: 1, level: 1 },
      { title: "B", page: 2, level: 2 },
      { title: "C", page: 3, level: 1 },
    ];
    expect(nestBookmarks(listed)).toEqual([
      { title: "A", page: 1, children: [{ title: "B", page: 2 }] },
      { title: "C", page: 3 },
    ]);
  });
});

it("consecutive operations on one file are one chain", () => {
  const fields = { splitMode: "intervals", splitSpan: "1", rotateAngle: "90", flatten: "true" };
  const files = { files: ["a.docx", "b.docx"], embeds: ["data.xml"] };
  const groups = groupSteps(plan("forms/libreoffice/convert", fields, files).steps);
  expect(groups.map((group) => group.map(({ operation }) => operation))).toEqual([
    ["document/doc-to-pdf", "document/split-pdf"],
    ["document/rotate-pdf", "document/flatten-pdf"],
    ["document/attach-files"],
  ]);
});

describe("what was not done in time", () => {
  const page = ["forms/chromium/convert/html", { files: ["index.html"] }] as const;
  const timeLimit =
    "The request exceeded the time limit. Increase it with --api-timeout, or reduce the workload.";

  it.each([
    [...page, "timed_out", "`wait_for`: no element matched #a within 10 seconds."],
    [...page, "timed_out", "`wait_for_expression`: a was not true within 25 seconds."],
    [...page, "timed_out", "The page was not ready within 30 seconds."],
    [...page, "fetch_timeout", "The server did not respond in time."],
    ["forms/libreoffice/convert", { files: ["a.docx"] }, "timed_out", "Too slow."],
    ["forms/pdfengines/flatten", pdfs, "timed_out", "Too slow."],
  ])("is Gotenberg's 503: %s %j %s %s", (path, files, code, message) => {
    const planned = plan(path, {}, files);
    const failed = new FailedJobError(code, message, firstStep(planned));
    expect(explainFailure(failed, planned, "a")).toMatchObject({ status: 503, message: timeLimit });
  });

  it.each([
    ["2s", [2000]],
    ["50s", [20_000, 20_000, 10_000]],
    ["1h", Array.from({ length: 9 }, () => 20_000)],
  ])("is not shortened: a delay of %s", (waitDelay, waits) => {
    const [print] = stepsOf(plan(page[0], { waitDelay }, page[1]));
    expect(print?.[1]).toMatchObject({ wait_for: waits });
  });
});

it("the limit of a plan is not the fault of LibreOffice", () => {
  const planned = plan("forms/libreoffice/convert", {}, { files: ["a.docx"] });
  const explain = (code: string) =>
    explainFailure(new FailedJobError(code, "Text.", firstStep(planned)), planned, "a.docx");
  expect(explain("usage_limit_reached")).toMatchObject({ status: 429, message: "Text." });
  expect(explain("engine_crashed")).toMatchObject({
    status: 500,
    message: expect.stringMatching(/^LibreOffice failed to convert the document 'a.docx'/),
  });
});

it.each<[path: string, fields: Fields, files: Files, code: string, message: string, text: string]>([
  [
    "forms/pdfengines/rotate",
    { rotateAngle: "90" },
    pdfs,
    "empty",
    "`pages` does not match any page of the document, which has 3 pages.",
    "form field 'rotatePages' does not match any page of the document, which has 3 pages.",
  ],
  [
    "forms/pdfengines/stamp",
    { stampSource: "text", stampExpression: "A" },
    pdfs,
    "invalid_parameter",
    "`text` must have at most 500 characters.",
    "form field 'stampExpression' must have at most 500 characters.",
  ],
  [
    "forms/pdfengines/bookmarks/write",
    { bookmarks: '[{"title":"A","page":0}]' },
    pdfs,
    "invalid_parameter",
    "`bookmarks[0].page` must be an integer from 1 to 100000.",
    "form field 'bookmarks[0].page' must be an integer from 1 to 100000.",
  ],
  [
    "forms/pdfengines/encrypt",
    { userPassword: "a" },
    pdfs,
    "invalid_parameter",
    "`owner_password` must differ from `password`.",
    "form field 'ownerPassword' must differ from form field 'userPassword'.",
  ],
  [
    "forms/libreoffice/convert",
    {},
    { files: ["a.docx"] },
    "invalid_parameter",
    "`export_options.watermark_font_height` must be at most 1000.",
    "form field 'nativeWatermarkFontHeight' must be at most 1000.",
  ],
  [
    "forms/chromium/convert/html",
    {},
    { files: ["index.html"] },
    "invalid_parameter",
    "`headers.X-A` must be text, and `header_html` shorter.",
    "form field 'extraHttpHeaders.X-A' must be text, and form file 'header.html' shorter.",
  ],
])("an error names the form field: %s %j", (path, fields, files, code, message, text) => {
  const planned = plan(path, fields, files);
  const failed = new FailedJobError(code, message, firstStep(planned));
  expect(explainFailure(failed, planned, "a")).toMatchObject({
    status: 400,
    message: `Invalid form data: ${text}`,
  });
});

it("the pages of a PDF among office documents are page ranges", () => {
  const planned = plan("forms/libreoffice/convert", {}, { files: ["a.docx", "b.pdf"] });
  const step = { operation: "document/extract-pages" };
  const failed = new FailedJobError("invalid_parameter", "`pages` must be page numbers.", step);
  expect(explainFailure(failed, planned, "b.pdf")).toMatchObject({
    status: 400,
    message: expect.stringContaining("Check the 'nativePageRanges' form field"),
  });
});
