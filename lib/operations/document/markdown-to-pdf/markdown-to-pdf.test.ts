import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { themeNames } from "#lib/operations/document/markdown-to-pdf/themes.ts";
import { allowed, forbidden } from "#tests/samples/pages.ts";
import { readLinks, readPdf, readWords, renderPdf } from "#tests/samples/pdf/pdf.ts";
import { findViolations } from "#tests/samples/pdf/pdf-a.ts";
import { temporaryFolder } from "#tests/servers/net.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";
import { markdownToPdf } from "./index.ts";

async function print(
  text: string | Buffer,
  params: Record<string, unknown> = {},
  more: Partial<Sample> = {},
  limits = {},
) {
  const path = join(temporaryFolder(), "text.md");
  await writeFile(path, text);
  const { signal } = new AbortController();
  const sample: Sample = { path, type: "md", ...more };
  const { outputs, warnings } = await runOperation(
    markdownToPdf,
    sample,
    params,
    {},
    signal,
    limits,
  );
  const [output] = outputs;
  return { path: output?.path ?? "", pages: output?.pages, warnings };
}

/** The text of the words of each line. */
function linesOf(path: string): string[] {
  return execFileSync("pdftotext", ["-layout", path, "-"])
    .toString()
    .split("\n")
    .map((line) => line.trim().replaceAll(/\s+/g, " "))
    .filter((line) => line !== "");
}

it("makes PDF/A", async () => {
  const { path } = await print(
    "# Title\n\nText with `code`, ![](data:,) and a [link](https://example.com)",
    {
      pdf_a: "2b",
    },
  );
  expect(findViolations(path, "2b")).toEqual([]);
  expect(readLinks(path)).toEqual(["https://example.com/"]);
});

const rich = `---
title: "The lake: a report"
author: Anna Müller
keywords: [boats, 湖]
---

See the [end](#the-end), **bold**[^a] and <https://example.com/>.

| Month | Boats |
|:--|--:|
| June | 12 |
| July \\| August | 3 |

- [x] done
- [ ] open
  1. nested

\`\`\`ts
const answer = 42; // <b>
\`\`\`

> [!WARNING]
> Mind the gap.

Line<br>break, ~~old~~ text.

## The end

مرحبا 你好 😀

[^a]: A note with \`code\`.
`;

describe("a document", () => {
  it("has tables, tasks, code, boxes, footnotes, links and any script", async () => {
    const { path, warnings } = await print(rich);
    expect(warnings).toEqual([]);
    const lines = linesOf(path);
    expect(lines.slice(0, -2)).toEqual([
      "The lake: a report",
      "Anna Müller",
      "See the end, bold1 and https://example.com/.",
      "Month Boats",
      "June 12",
      "July | August 3",
      "done",
      "open",
      "1. nested",
      "const answer = 42; // <b>",
      "Warning",
      "Mind the gap.",
      "Line",
      "break, old text.",
      "The end",
    ]);
    expect(lines.at(-1)).toBe("1. A note with code .");
    expect(lines.at(-2)).toMatch(/你好/);
    // The cells of a column of numbers end at the same place.
    const numbers = readWords(path).filter(({ text }) => text === "12" || text === "3");
    expect(numbers[0]?.right).toBeCloseTo(numbers[1]?.right ?? 0, 0);
    expect(readLinks(path)).toContain("https://example.com/");
    const facts = execFileSync("pdfinfo", ["-enc", "UTF-8", path]).toString();
    expect(facts).toMatch(
      /Title: +The lake: a report\nKeywords: +boats, 湖\nAuthor: +Anna Müller\n/,
    );
    // Red of the keyword `const`.
    expect(hasColor(path, ([r, g, b]) => r > g + 40 && r > b + 40)).toBe(true);
  });

  it.each(themeNames)("has the theme %s", async (theme) => {
    const { path } = await print(rich, { theme });
    expect(linesOf(path)[0]).toBe("The lake: a report");
    const fonts = execFileSync("pdffonts", [path]).toString();
    expect(/Serif/.test(fonts)).toBe(theme === "serif" || theme === "academic");
  });

  it("takes the title of the page from its first heading, and parameters of the page", async () => {
    const { path } = await print("# One *two*\n\ntext", {
      page_size: "A5",
      pdf_metadata: { author: "Someone" },
      css: "p { display: none }",
    });
    expect(linesOf(path)).toEqual(["One two"]);
    const facts = execFileSync("pdfinfo", [path]).toString();
    expect(facts).toMatch(/Title: +One two\nAuthor: +Someone\n/);
    expect(readPdf(path).width).toBeCloseTo(420, 0);
  });

  it("is text of which every line stays as it is", async () => {
    const text = Buffer.from("# no heading\n  <b>Gr\xfc\xdfe</b>\n\n* no list\n", "latin1");
    const { path } = await print(text, {}, { type: "txt" });
    expect(linesOf(path)).toEqual(["# no heading", "<b>Grüße</b>", "* no list"]);
  });
});

describe("HTML and images in a document", () => {
  const html = `<p id=p>inert</p><script>p.textContent = "EVIL"</script><img src=x onerror="p.textContent = 'EVIL'"><svg onload="p.textContent = 'EVIL'"></svg>`;

  it("run no scripts, and reach no private network", async () => {
    const { path } = await print(`${html}\n\n![a](${forbidden.url}/a.png)\n\n[x](javascript:p)`);
    expect(readPdf(path).text).toBe("inert a x");
    expect(forbidden.requests).toEqual([]);
  });

  it("resolve against the URL of the document", async () => {
    const text = `![](red.png)\n\n<img src="red.png" width="400" height="400">\n\n![gone](gone.png)`;
    const { path, warnings } = await print(text, {}, { url: `${allowed.url}/pages/a.md` });
    expect(hasColor(path, ([r, g, b]) => r === 255 && g === 0 && b === 0)).toBe(true);
    expect(warnings).toEqual([
      `The image ${allowed.url}/pages/gone.png could not be loaded (status 404).`,
    ]);
  });
});

it.each([
  ["brackets", "[".repeat(5000)],
  ["quotes", `${">".repeat(5000)} x`],
  ["emphasis", "*a_ ".repeat(5000)],
  ["footnotes that refer to themselves", "x[^a]\n\n[^a]: y[^a][^b]\n[^b]: z[^a]\n"],
  ["front matter without an end", `---\n${"a: b\n".repeat(5000)}`],
])("%s end with a document or a reason", async (_, text) => {
  const result = await print(text).then(
    ({ pages }) => pages,
    ({ code }) => code,
  );
  expect(typeof result === "number" || ["too_complex", "timed_out"].includes(result)).toBe(true);
});

it("a text that is too large, and parameters that are wrong, are rejected", async () => {
  const large = print("x".repeat(2000), {}, {}, { officeTextBytes: 1000 });
  await expect(large).rejects.toMatchObject({ code: "too_complex" });
  await expect(print("x", { theme: "none" })).rejects.toMatchObject({ name: "ZodError" });
});

function hasColor(path: string, isColor: (rgb: [number, number, number]) => boolean): boolean {
  const { pixels } = renderPdf(path);
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    if (isColor([pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0])) return true;
  }
  return false;
}
