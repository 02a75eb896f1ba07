import { gzipSync } from "node:zlib";
import { flatHead, flatMime } from "#tests/samples/documents.ts";
import type { BadInput } from "../bad-input.ts";
import type { Canary } from "../canary.ts";

/** Bad inputs: office documents that are one XML, text or binary file. */

const page = "<html><body><img src=http://127.0.0.1/a.png>x</body></html>";

const entities = Array.from({ length: 9 }, (_, level) =>
  level === 0 ? `<!ENTITY e0 "laughter">` : `<!ENTITY e${level} "${`&e${level - 1};`.repeat(10)}">`,
).join("");

/** A flat document with a linked image, a linked section and an entity. */
function flatReferences({ url, secretFile }: Canary): Buffer {
  const frame = (target: string) =>
    `<draw:frame svg:width="3cm" svg:height="3cm"><draw:image xlink:href="${target}"/></draw:frame>`;
  const section = `<text:section text:name="a"><text:section-source xlink:href="file://${secretFile}" text:filter-name="Text"/><text:p>old</text:p></text:section>`;
  const body = `<text:p>still ${frame(`${url}/a.png`)}${frame(`file://${secretFile}`)}</text:p>${section}`;
  return Buffer.from(
    `${flatHead} office:mimetype="${flatMime}.text"><office:body><office:text>${body}</office:text></office:body></office:document>`,
  );
}

/** AbiWord with an image of another job, and the file as an entity. */
function abiWordReferences({ url, secretFile }: Canary): Buffer {
  return Buffer.from(
    `<?xml version="1.0"?><!DOCTYPE abiword [<!ENTITY a SYSTEM "file://${secretFile}"><!ENTITY b SYSTEM "${url}/b">]><abiword version="2.9"><section><p>still &a;&b;<image dataid="${url}/c.png"/></p></section></abiword>`,
  );
}

const failures = ["corrupt", "too_complex", "out_of_memory", "timed_out"] as const;
const bounded = { maxEngineBytes: 4 * 2 ** 30, timeoutSeconds: 240 };

export const badOfficeFormats: readonly BadInput[] = [
  ...(["fodt", "wpd"] as const).map(
    (type): BadInput => ({
      id: `HTML named .${type}`,
      type,
      build: () => Buffer.from(page),
      expected: ["corrupt"],
    }),
  ),
  {
    id: "a compressed document that unpacks to a thousand times its size",
    type: "abw",
    build: () => gzipSync(Buffer.alloc(30e6)),
    expected: ["too_complex"],
  },
  {
    id: "a compressed document that is cut off",
    type: "gnumeric",
    build: () => gzipSync(Buffer.from(page.repeat(99))).subarray(0, 40),
    expected: ["corrupt"],
  },
  {
    id: "an entity bomb in one XML file",
    type: "fodt",
    build: () =>
      Buffer.from(
        `<?xml version="1.0"?><!DOCTYPE d [${entities}]>${flatHead.slice(flatHead.indexOf("?>") + 2)} office:mimetype="${flatMime}.text"><office:body><office:text><text:p>&e8;</text:p></office:text></office:body></office:document>`,
      ),
    expected: ["completes", ...failures],
    ...bounded,
  },
  {
    id: "an entity bomb in AbiWord",
    type: "abw",
    build: () =>
      Buffer.from(
        `<?xml version="1.0"?><!DOCTYPE d [${entities}]><abiword><section><p>&e8;</p></section></abiword>`,
      ),
    expected: ["completes", ...failures],
    ...bounded,
  },
  {
    id: "a FODT with external references",
    type: "fodt",
    build: flatReferences,
    expected: ["completes"],
  },
  {
    id: "an AbiWord document with external references",
    type: "abw",
    build: abiWordReferences,
    expected: ["completes", "corrupt"],
  },
];
