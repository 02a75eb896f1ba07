import { join } from "node:path";
import { expect, it } from "vitest";
import { writePacket } from "#lib/formats/pdf/archival/xmp-packet.ts";
import type { Operation } from "#lib/operations/define.ts";
import { toSample } from "#tests/samples/images/images.ts";
import { unpackPdf } from "#tests/samples/metadata.ts";
import { encryptPdf } from "#tests/samples/pdf/encrypt-pdf.ts";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";
import { attachFiles } from "../attach-files/index.ts";
import { mergePdf } from "../merge-pdf/index.ts";
import { pageNumbers } from "../page-numbers/index.ts";
import { setMetadata } from "../set-metadata/index.ts";
import { watermarkPdf } from "../watermark-pdf/index.ts";

/** No file is declared as PDF/A that is none. */

const logo = {
  path: join(import.meta.dirname, "../../../../public/samples/inputs/logo.png"),
  type: "png",
} as const;

interface Declared {
  readonly packet?: string;
  readonly catalog?: string;
  readonly info?: string;
}

/** A file with one page that is declared as PDF/A. Its objects 5 to 7 are two texts and a profile. */
function declare({ packet = writePacket("1b", {}), catalog = "", info = "" }: Declared = {}) {
  return toSample(
    "pdf",
    makePdfBytes({
      objects: [
        `<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R ${catalog} >>`,
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] >>",
        pdfStream("/Type /Metadata /Subtype /XML", packet),
        "(first text)",
        "(second text)",
        pdfStream("/N 3", "a profile"),
      ],
      trailer: info === "" ? "" : `/Info << ${info} >>`,
    }),
  );
}

async function run(operation: Operation, samples: Sample | Sample[], params: object = {}) {
  const { outputs, warnings } = await runOperation(operation, samples, { ...params });
  const path = outputs[0]?.path ?? "";
  // exiftool decrypts slowly.
  const plain = `${path}.plain.pdf`;
  execProgram("qpdf", ["--decrypt", path, plain]);
  const part = (await exiftool("-s3", "-XMP-pdfaid:Part", plain)).trim();
  return { path, plain, part, warnings };
}

it("one that is merged of files of which one is encrypted", async () => {
  const archive = await declare();
  const locked = await declare();
  encryptPdf(locked.path, "");
  expect((await run(mergePdf, [archive, archive])).part).toBe("1");
  for (const samples of [
    [locked, archive],
    [archive, locked],
  ]) {
    const { part, path } = await run(mergePdf, samples);
    expect(part).toBe("");
    expect(execProgram("pdfinfo", [path], { encoding: "utf8" })).toMatch(/Encrypted: +yes/);
  }
});

it.each([
  [watermarkPdf, { text: "🎉", opacity: 1 }, "this watermark"],
  [pageNumbers, { format: "🎉 {page}" }, "these page numbers"],
] as const)(
  "a PDF/A-1 file with an emoji, which has a soft mask: %o",
  async (operation, params, name) => {
    const first = await run(operation, await declare(), params);
    expect(first.part).toBe("");
    expect(first.warnings).toEqual([
      `The PDF is not declared as PDF/A-1 any more, which does not allow transparency, such as that of ${name}.`,
    ]);
    const second = await run(operation, await declare({ packet: writePacket("2b", {}) }), params);
    expect([second.part, second.warnings]).toEqual(["2", []]);
  },
);

it("a PDF/A-4 file with attached files, unless it is for such", async () => {
  const packet = writePacket("2b", {}).replace("part>2<", "part>4<");
  const attach = async (conformance: string) => {
    const declared = packet.replace("conformance>B<", `conformance>${conformance}<`);
    return run(attachFiles, [await declare({ packet: declared }), logo]);
  };
  const plain = await attach("");
  expect(plain.part).toBe("");
  expect(plain.warnings).toEqual([expect.stringContaining("not declared as PDF/A-4")]);
  for (const conformance of ["F", "E"]) {
    const { part, warnings } = await attach(conformance);
    expect([part, warnings]).toEqual(["4", []]);
  }
});

it.each([
  [watermarkPdf, { text: "DRAFT", opacity: 0.3 }],
  [setMetadata, { title: "Other" }],
])(
  "properties that refer to other objects lead to the same ones: %o",
  async (operation, params) => {
    const sample = await declare({ info: "/Custom [5 0 R 6 0 R] /More << /Text 6 0 R >>" });
    const { path } = await run(operation, sample, params);
    const text = unpackPdf(path);
    const [, first, second] = /\/Custom \[\s*(\d+) 0 R\s+(\d+) 0 R\s*\]/.exec(text) ?? [];
    const objectOf = (content: string) =>
      new RegExp(`object (\\d+), index \\d+\n\\(${content}\\)`).exec(text)?.[1];
    expect([first, second]).toEqual([objectOf("first text"), objectOf("second text")]);
    expect(text).toMatch(new RegExp(`/Text ${second} 0 R`));
  },
);

it("files whose profile has many entries are merged, and declared if these are few", async () => {
  const intent = "<< /Type /OutputIntent /S /GTS_PDFA1 /DestOutputProfile 7 0 R >> ";
  const intents = (count: number) => `/OutputIntents [${intent.repeat(count)}]`;
  const one = await declare({ catalog: intents(1) });
  const several = await declare({ catalog: intents(10) });
  const many = await declare({ catalog: intents(3000) });
  expect((await run(mergePdf, [one, several])).part).toBe("1");
  expect((await run(mergePdf, [many, many])).part).toBe("");
});
