import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Operation } from "#lib/operations/define.ts";
import { findViolations } from "#tests/samples/pdf/pdf-a.ts";
import { runOperation } from "#tests/support/operation.ts";
import { compressPdf } from "../compress-pdf/index.ts";
import { fillForm } from "../fill-form/index.ts";
import { flattenPdf } from "../flatten-pdf/index.ts";
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
  [pageNumbers, {}],
  [watermarkPdf, { text: "DRAFT", opacity: 1 }],
  [unlockPdf, { password: "any" }],
];

describe.each(["1b", "2b"])("a PDF/A file of level %s", (level) => {
  it("is still one after operations that change it", async () => {
    const brochure = { path: join(inputs, "brochure.pdf"), type: "pdf" as const };
    const { outputs } = await runOperation(pdfA, brochure, { level });
    const archive = { path: outputs[0]?.path ?? "", type: "pdf" as const };
    const violations: (readonly [id: string, found: readonly string[]])[] = [];
    for (const [operation, params] of changes) {
      const { outputs } = await runOperation(operation, archive, params);
      violations.push([operation.id, findViolations(outputs[0]?.path ?? "", level)]);
    }
    expect(violations).toEqual(changes.map(([{ id }]) => [id, []]));
  });
});
