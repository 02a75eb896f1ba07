import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writePacket } from "#lib/formats/pdf/archival/xmp-packet.ts";
import type { Operation } from "#lib/operations/define.ts";
import { toSample } from "#tests/samples/images/images.ts";
import { findViolations } from "#tests/samples/pdf/pdf-a.ts";
import { makePdfBytes, pdfStream } from "#tests/samples/pdf/pdf-bytes.ts";
import { exiftool } from "#tests/support/exiftool.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";
import { attachFiles } from "../attach-files/index.ts";
import { compressPdf } from "../compress-pdf/index.ts";
import { fillForm } from "../fill-form/index.ts";
import { flattenPdf } from "../flatten-pdf/index.ts";
import { mergePdf } from "../merge-pdf/index.ts";
import { pageNumbers } from "../page-numbers/index.ts";
import { redact } from "../redact/index.ts";
import { setMetadata } from "../set-metadata/index.ts";
import { unlockPdf } from "../unlock-pdf/index.ts";
import { watermarkPdf } from "../watermark-pdf/index.ts";
import { pdfA } from "./index.ts";

const inputs = join(import.meta.dirname, "../../../../public/samples/inputs");

const changes: readonly (readonly [Operation, Record<string, unknown>])[] = [
  [compressPdf, { quality: "low" }],
  [fillForm, { values: {} }],
  [flattenPdf, {}],
  // A word of the title, which is in the metadata, too.
  [redact, { texts: ["dusk"] }],
  [setMetadata, { title: "Größe" }],
  [setMetadata, { tags: { Author: ["A", "B"], Creator: "C & D", ModDate: "2026:04:17 09:00:00" } }],
  [setMetadata, { tags: { "XMP:Title": "Other", "xmp-dc:creator": ["A", "B"] } }],
  [setMetadata, { tags: { Description: "D", "XMP-xmp:CreatorTool": "C", "XMP:Producer": "P" } }],
  [pageNumbers, {}],
  [watermarkPdf, { text: "DRAFT", opacity: 1 }],
  [unlockPdf, { password: "any" }],
];

const brochure = { path: join(inputs, "brochure.pdf"), type: "pdf" } as const;

/** The brochure as PDF/A. */
async function makeArchive(level: string): Promise<Sample> {
  const { outputs } = await runOperation(pdfA, brochure, { level });
  return { path: outputs[0]?.path ?? "", type: "pdf" };
}

describe.each(["1b", "2b"])("a PDF/A file of level %s", (level) => {
  it("is still one after operations that change it", async () => {
    const archive = await makeArchive(level);
    const violations: (readonly [id: string, found: readonly string[]])[] = [];
    for (const [operation, params] of changes) {
      const { outputs } = await runOperation(operation, archive, params);
      violations.push([operation.id, findViolations(outputs[0]?.path ?? "", level)]);
    }
    expect(violations).toEqual(changes.map(([{ id }]) => [id, []]));
  });

  it("is still one after it is merged with others of its part", async () => {
    const archive = await makeArchive(level);
    const path = await merge(archive, archive);
    expect(findViolations(path, level)).toEqual([]);
    expect(await exiftool("-s3", "-XMP-dc:Title", path)).toContain("Lake at dusk");
  });
});

async function merge(...samples: readonly Sample[]): Promise<string> {
  const { outputs } = await runOperation(mergePdf, samples);
  return outputs[0]?.path ?? "";
}

it("files of several parts, with other colors or without PDF/A are not declared as PDF/A", async () => {
  const archive = await makeArchive("2b");
  // It has no output intent.
  const colorless = await toSample(
    "pdf",
    makePdfBytes({
      objects: [
        "<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] >>",
        pdfStream("/Type /Metadata /Subtype /XML", writePacket("2b", {})),
      ],
    }),
  );
  const partOf = async (...samples: readonly Sample[]) =>
    (await exiftool("-s3", "-XMP-pdfaid:Part", await merge(...samples))).trim();
  expect(await partOf(colorless, colorless)).toBe("2");
  expect(await partOf(archive, colorless)).toBe("");
  expect(await partOf(archive, brochure)).toBe("");
  expect(await partOf(brochure, archive)).toBe("");
  expect(await partOf(archive, await makeArchive("1b"))).toBe("");
});

describe("with what PDF/A does not allow, a file is declared as what it is", () => {
  const logo = { path: join(inputs, "logo.png"), type: "png" } as const;

  const partOf = async (path: string) =>
    (await exiftool("-s3", "-XMP-pdfaid:all", path)).trim().split("\n")[0];

  it("attached files turn PDF/A-2 into PDF/A-3, and end PDF/A-1", async () => {
    const attach = async (level: string) => {
      const { outputs, warnings } = await runOperation(attachFiles, [
        await makeArchive(level),
        logo,
      ]);
      return { path: outputs[0]?.path ?? "", warnings };
    };
    const second = await attach("2b");
    expect(findViolations(second.path, "3b")).toEqual([]);
    expect(second.warnings).toEqual([expect.stringContaining("declared as PDF/A-3 now")]);
    const first = await attach("1b");
    expect(await partOf(first.path)).toBe("");
    expect(first.warnings).toEqual([expect.stringContaining("not declared as PDF/A-1")]);
    const third = await attach("3b");
    expect(findViolations(third.path, "3b")).toEqual([]);
    expect(third.warnings).toEqual([]);
  });

  it.each([
    ["1b", "a transparent text", ""],
    ["1b", "a picture with transparency", ""],
    ["2b", "a transparent text", "2"],
    ["2b", "a picture with transparency", "2"],
    ["2b", "the page of a PDF", ""],
    ["2b", "the page of a PDF/A file", "2"],
  ] as const)("PDF/A-%s with a watermark: %s", async (level, drawn, part) => {
    const archive = await makeArchive(level);
    const watermarks = {
      "a transparent text": undefined,
      "a picture with transparency": logo,
      "the page of a PDF": brochure,
      "the page of a PDF/A file": archive,
    };
    const watermark = watermarks[drawn];
    const params = watermark ? { opacity: 1 } : { text: "DRAFT", opacity: 0.3 };
    const files: Record<string, Sample> = watermark ? { watermark } : {};
    const run = await runOperation(watermarkPdf, archive, params, files);
    const path = run.outputs[0]?.path ?? "";
    expect((await partOf(path))?.slice(0, 1)).toBe(part);
    expect(run.warnings?.length).toBe(part === "" ? 1 : 0);
    if (part !== "") expect(findViolations(path, level)).toEqual([]);
    expect(await exiftool("-s3", "-XMP-dc:Title", "-PDF:Title", path)).toMatch(/^Lake.*\nLake/);
  });
});
