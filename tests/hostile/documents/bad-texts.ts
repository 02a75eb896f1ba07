import { makeEpub } from "#tests/samples/office/epub.ts";
import { makeZip } from "#tests/samples/zip.ts";
import type { BadInput, Outcome } from "../bad-input.ts";
import type { Canary } from "../canary.ts";
import { deflateBomb } from "./deflate-bomb.ts";

/** Bad inputs: HTML, Markdown and e-books that become office documents. */

/** Everything that a browser would fetch or run, and what LibreOffice would. */
function referencingPage({ url, secretFile }: Canary): string {
  const targets = [
    url,
    `${url}/a.png`,
    `file://${secretFile}`,
    secretFile,
    "../../other-job/in/0.txt",
  ];
  const elements = targets.map(
    (target) =>
      `<img src="${target}"><iframe src="${target}"></iframe><object data="${target}"></object><embed src="${target}"><link rel="stylesheet" href="${target}"><video src="${target}" poster="${target}"></video><table background="${target}"><tr><td style="background:url(${target})">x</table>`,
  );
  return `<html><head><base href="${url}/"><meta http-equiv="refresh" content="0;url=${url}"><script src="${url}/a.js"></script><style>@import "${url}/a.css"; body { background: url(${url}/b.png) }</style></head><body background="${url}/c.png" onload="fetch('${url}')"><p>still</p>${elements.join("")}</body></html>`;
}

/** Rows that take several seconds, and minutes on a busy machine. */
const costly: ReadonlySet<string> = new Set(["Markdown with 4,900 nested elements"]);

const row = (
  id: string,
  type: "html" | "md" | "epub",
  build: (canary: Canary) => Buffer,
  ...expected: Outcome[]
): BadInput => ({
  id,
  type,
  build,
  expected,
  ...(costly.has(id) ? { isCostly: true, timeoutSeconds: 240 } : {}),
});

const opf = (body: string) => ({ name: "OEBPS/content.opf", content: body });
const container = (path: string) => ({
  name: "META-INF/container.xml",
  content: `<container><rootfiles><rootfile full-path="${path}"/></rootfiles></container>`,
});

export const badTexts: readonly BadInput[] = [
  row(
    "a page that refers to everything",
    "html",
    (canary) => Buffer.from(referencingPage(canary)),
    "completes",
  ),
  row(
    "Markdown with a page in it",
    "md",
    (canary) => Buffer.from(`# still\n\n${referencingPage(canary)}`),
    "completes",
  ),
  row(
    "Markdown with 20,000 nested elements",
    "md",
    () => Buffer.from("<div><b>".repeat(20_000)),
    "completes",
    "too_complex",
    "engine_crashed",
  ),
  // As many as are read at all.
  row(
    "Markdown with 4,900 nested elements",
    "md",
    () => Buffer.from("<div><b>".repeat(2450)),
    "completes",
    "too_complex",
    "engine_crashed",
  ),
  row(
    "a table of 1,000 by 1,000 spans",
    "html",
    () =>
      Buffer.from(
        `<table>${`<tr>${'<td colspan="1000" rowspan="1000">x</td>'.repeat(20)}</tr>`.repeat(20)}</table>`,
      ),
    "completes",
  ),
  row("Markdown of unclosed brackets", "md", () => Buffer.from("[".repeat(50_000)), "completes"),
  row(
    "an e-book with external references",
    "epub",
    (canary) => makeEpub([{ name: "c1.xhtml", content: referencingPage(canary) }]),
    "completes",
  ),
  row(
    "an e-book whose container names no file",
    "epub",
    () => makeZip([container("../../secret.opf")]),
    "corrupt",
  ),
  row(
    "an e-book without chapters",
    "epub",
    () => makeZip([container("OEBPS/content.opf"), opf("<package><spine></spine></package>")]),
    "corrupt",
  ),
  row(
    "an e-book with a path traversal",
    "epub",
    () => makeZip([{ name: "../x", content: "x" }]),
    "corrupt",
  ),
  row(
    "an e-book with DRM",
    "epub",
    () =>
      makeEpub(
        [{ name: "c1.xhtml", content: "\u0001\u0002" }],
        [
          {
            name: "META-INF/encryption.xml",
            content: `<encryption><EncryptedData><CipherData><CipherReference URI="OEBPS/c1.xhtml"/></CipherData></EncryptedData></encryption>`,
          },
        ],
      ),
    "encrypted",
  ),
  row(
    "an e-book with a chapter that inflates to a gigabyte",
    "epub",
    () =>
      makeEpub([
        {
          name: "c1.xhtml",
          content: deflateBomb({ mebibytes: 1024, start: "<p>", filler: "aaaaaa", end: "</p>" }),
          claimedSize: 1000,
        },
      ]),
    "corrupt",
    "too_complex",
  ),
  row(
    "a truncated e-book",
    "epub",
    () => makeEpub([{ name: "c1.xhtml", content: "<p>x" }]).subarray(0, 500),
    "corrupt",
  ),
];
