import { makeZip } from "#tests/samples/zip.ts";
import type { BadInput } from "../bad-input.ts";

/** Bad inputs: EPUB files that are damaged, refer to files outside, or expand without end. */

const container = `<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="b.opf"/></rootfiles></container>`;

/** A book of one chapter; `opf` replaces its package file. */
function book(chapter: string, opf?: string, href = "c.xhtml"): Buffer {
  const items = `<manifest><item id="c" href="${href}" media-type="application/xhtml+xml"/></manifest>`;
  return makeZip([
    { name: "mimetype", content: "application/epub+zip" },
    { name: "META-INF/container.xml", content: container },
    {
      name: "b.opf",
      content:
        opf ??
        `<package xmlns="http://www.idpf.org/2007/opf">${items}<spine><itemref idref="c"/></spine></package>`,
    },
    { name: "c.xhtml", content: chapter },
  ]);
}

const epub = (id: string, expected: BadInput["expected"], build: BadInput["build"]): BadInput => ({
  id,
  type: "epub",
  expected,
  build,
});

export const badBooks: readonly BadInput[] = [
  epub("an EPUB without a container", ["corrupt"], () =>
    makeZip([{ name: "mimetype", content: "application/epub+zip" }]),
  ),
  epub("a truncated EPUB", ["corrupt"], () => book("<p>x</p>").subarray(0, 400)),
  epub("an EPUB whose package file is no XML", ["corrupt"], () => book("<p>x</p>", "<package><")),
  epub("an EPUB whose chapter is outside of it", ["completes"], () =>
    book("<p>x</p>", undefined, "../../../../etc/passwd"),
  ),
  epub("an EPUB that loads and runs something", ["completes"], ({ url, secretFile }) =>
    book(
      `<p>still</p><img src="file://${secretFile}"/><img src="${url}/a.png"/><script>fetch("${url}/s")</script>`,
    ),
  ),
  epub("an EPUB with an entity bomb", ["corrupt"], () =>
    book("<p>x</p>", `<!DOCTYPE d [<!ENTITY a "${"a".repeat(1000)}">]><package>&a;</package>`),
  ),
  epub("an EPUB that declares 2 GB", ["too_complex"], () =>
    makeZip([
      { name: "mimetype", content: "application/epub+zip" },
      { name: "META-INF/container.xml", content: "x", claimedSize: 2e9 },
    ]),
  ),
  epub("an EPUB of 5,000 nested elements", ["completes", "too_complex"], () =>
    book("<div>".repeat(5000)),
  ),
];
