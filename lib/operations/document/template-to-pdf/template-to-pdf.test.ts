import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allowed, forbidden } from "#tests/samples/pages.ts";
import { readPdf, renderPdf } from "#tests/samples/pdf/pdf.ts";
import { findViolations } from "#tests/samples/pdf/pdf-a.ts";
import { temporaryFolder } from "#tests/servers/net.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";
import { templateToPdf } from "./index.ts";

async function fill(
  template: string,
  data: unknown,
  params: Record<string, unknown> = {},
  origin: Pick<Sample, "url"> = {},
) {
  const path = join(temporaryFolder(), "template.html");
  await writeFile(path, template);
  return runOperation(templateToPdf, { path, type: "html", ...origin }, { data, ...params });
}

async function textOf(template: string, data: unknown): Promise<string> {
  const { outputs } = await fill(template, data);
  return readPdf(outputs[0]?.path ?? "").text;
}

describe("a template", () => {
  it("gets values, which are escaped, loops, conditions and filters", async () => {
    const template = `<title>{{ title }}</title><p>{{ name }} {{ html | raw }}{% for row in rows %} {{ forloop.index }}:{{ row.sum | number: 2, "de" }}{% endfor %}{% if none %} no{% endif %} {{ none | default: "default" }} {{ sum | currency: "EUR" }} {{ date | date: "%d.%m.%Y" }}`;
    const data = {
      title: "T",
      name: "<b>Ünï</b> 你好",
      html: "<i>raw</i>",
      sum: 1234.5,
      rows: [{ sum: 1234.5 }, { sum: 2 }],
      date: "2026-02-03",
    };
    expect(await textOf(template, data)).toBe(
      "<b>Ünï</b> 你好 raw 1:1.234,50 2:2,00 default €1,234.50 03.02.2026",
    );
  });

  it.each([true, false])("makes PDF/A, split: %s", async (split) => {
    const items = [{ n: 1 }, { n: 2 }];
    const { outputs } = await fill("<p>Item {{ n }}", items, { split, pdf_a: "2b" });
    expect(outputs.map(({ pages }) => pages)).toEqual(split ? [1, 1] : [2]);
    for (const { path } of outputs) expect(findViolations(path, "2b")).toEqual([]);
    expect(readPdf(outputs.at(-1)?.path ?? "").text).toContain("Item 2");
  });

  it("makes one PDF for each item, or one for all with a bookmark for each", async () => {
    const template = `<h1>Item {{ n }}</h1>{% if n == 2 %}<p style="break-before:page">more{% endif %}`;
    const data = [{ n: 1 }, { n: 2 }, { n: 3 }];
    const pdf_metadata = { title: "All", author: "Ä" };
    const { outputs } = await fill(template, data, { pdf_metadata });
    expect(outputs.map(({ suffix, pages }) => [suffix, pages])).toEqual([
      ["-1", 1],
      ["-2", 2],
      ["-3", 1],
    ]);
    expect(outputs.map(({ path }) => readPdf(path).text)).toEqual([
      "Item 1",
      "Item 2 more",
      "Item 3",
    ]);
    const { outputs: joined } = await fill(template, data, { pdf_metadata, split: false });
    const path = joined[0]?.path ?? "";
    expect(joined).toEqual([expect.objectContaining({ pages: 4 })]);
    expect(readPdf(path).text).toBe("Item 1 Item 2 more Item 3");
    const facts = execFileSync("pdfinfo", ["-enc", "UTF-8", path]).toString();
    expect(facts).toMatch(/Title: +All\nAuthor: +Ä\n/);
    expect(facts).toMatch(/Tagged: +yes/);
    execFileSync("qpdf", ["--check", path]);
    const outlines = execFileSync("qpdf", ["--json", "--json-key=outlines", path]).toString();
    expect(outlines.match(/"title": "[^"]+"/g)).toHaveLength(6);
  });

  it("has pictures of data URIs and of its own server, and parameters of the page", async () => {
    const template = `<style>@page{margin:0}body{margin:0}</style><img src="{{ picture }}" width=400 height=400><img src="{{ other }}"><img src="{{ private }}">`;
    const data = [1, 2].map(() => ({
      picture: "red.png",
      other: "missing.png",
      private: `${forbidden.url}/a.png`,
    }));
    const page = { url: `${allowed.url}/pages/template.html` };
    const { outputs, warnings } = await fill(
      template,
      data,
      { page_size: "A5", margin: "0" },
      page,
    );
    const { pixels, width } = renderPdf(outputs[1]?.path ?? "");
    expect([width, ...pixels.subarray(0, 3)]).toEqual([210, 255, 0, 0]);
    expect(forbidden.requests).toEqual([]);
    expect(warnings).toContain(
      `The image ${allowed.url}/pages/missing.png could not be loaded (status 404).`,
    );
    const inline = "data:image/gif;base64,R0lGODdhAQABAPAAAP8AAAAAACwAAAAAAQABAAACAkQBADs=";
    const own = await fill(template, { picture: inline, other: inline, private: inline });
    expect(own.warnings).toEqual([]);
  });
});

describe("a template that fails", () => {
  it.each([
    [
      "a name that is not there",
      "<p>\n{{ customer.name }}",
      /line 2, \{\{ customer.name \}\}: there is no value/,
    ],
    ["a filter that is not there", "{{ a | shout }}", /line 1, .*: there is no filter shout\./],
    ["an open tag", "<p>\n\n{% for x in list %}", /line 3, \{% for x in list %\}: .*not closed/],
    ["a tag that is not there", "{% evil %}", /line 1, \{% evil %\}/],
    ["an included file", "{% include 'etc' %}", /the tag include is not available/],
    ["a layout", "{% layout 'a' %}", /the tag layout is not available/],
    ["a number that is none", "{{ 'x' | number }}", /the value is not a number/],
    [
      "an object",
      "{{ row }}",
      /line 1, \{\{ row \}\}: its value is an object, not a text or number/,
    ],
    ["a list of objects", "{{ rows }}", /its value is an object/],
    ["an object as HTML", "{{ row | raw }}", /its value is an object/],
    ["a list of objects as HTML", "{{ rows | raw }}", /its value is an object/],
    ["globals", "{{ process.env.SECRET }}", /there is no value process/],
    ["constructors", "{{ a.constructor.constructor }}", /there is no value/],
    ["prototypes", "{{ list.__proto__ }}", /there is no value/],
  ])("%s has a line and a tag", async (_, template, message) => {
    const failing = fill(template, { a: "x", list: [1], row: { b: 1 }, rows: [{ b: 1 }] });
    await expect(failing).rejects.toMatchObject({
      code: "corrupt",
      message: expect.stringMatching(message),
    });
  });

  it("the item is named", async () => {
    const failing = fill("{{ name }}", [{ name: "a" }, { other: "b" }]);
    await expect(failing).rejects.toThrow(/^Item 2: the template failed in line 1, /);
  });

  it.each([
    ["a range of 10⁹ numbers", "{% for i in (1..1000000000) %}x{% endfor %}"],
    [
      "text that doubles",
      "{% assign a = 'xxxxxxxx' %}{% for i in (1..60) %}{% assign a = a | append: a %}{% endfor %}",
    ],
    ["nested loops", `${"{% for i in (1..900) %}".repeat(4)}x${"{% endfor %}".repeat(4)}`],
    ["10,000 nested tags", `${"{% if a %}".repeat(10_000)}${"{% endif %}".repeat(10_000)}`],
    ["a document that is too large", "{% for i in (1..2000000) %}{{ long }}{% endfor %}"],
  ])("%s ends with its reason", async (_, template) => {
    const failing = fill(template, { a: 1, long: "x".repeat(1000) });
    await expect(failing).rejects.toMatchObject({
      code: expect.stringMatching(/^(too_complex|timed_out)$/),
    });
    expect(await textOf("{{ a }}", { a: "next" })).toBe("next");
  });
});

it.each([{ data: "x" }, { data: [] }, { data: [1] }, {}, { data: {}, margin: "1" }])(
  "%j is rejected",
  async (params) => {
    await expect(fill("x", undefined, params)).rejects.toMatchObject({ name: "ZodError" });
  },
);
