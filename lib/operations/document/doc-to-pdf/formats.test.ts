import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { officeTypes } from "#lib/formats/office/formats.ts";
import { sniffFile } from "#lib/formats/sniff/sniff.ts";
import { docToPdf } from "#lib/operations/document/doc-to-pdf/index.ts";
import { temporaryFolder } from "#tests/samples/documents.ts";
import { makeOfficeTypes, type OfficeTypeSample } from "#tests/samples/office/office-types.ts";
import { readPdf } from "#tests/samples/pdf/pdf.ts";
import { runOperation } from "#tests/support/operation.ts";

/** Latin letters only: formats of DOS have no others. */
const text = "Quarterly";

let folder: string;
let remove: () => Promise<void>;
let samples: OfficeTypeSample[];

beforeAll(async () => {
  [folder, remove] = await temporaryFolder();
  samples = await makeOfficeTypes(folder, text);
});

afterAll(() => remove());

/** Text and CSV have no marks of their own: there the name decides. */
const isNamed = ({ type }: OfficeTypeSample) => type === "csv";

it("files of every office type are recognized by their content, and become a PDF", async () => {
  const found = new Map<string, unknown>();
  const wanted = new Map<string, unknown>();
  for (const [index, sample] of samples.entries()) {
    const label = `${sample.extension} ${index}`;
    const path = join(folder, `file-${index}`);
    await writeFile(path, sample.content);
    const hints = isNamed(sample) ? { filename: `a.${sample.extension}` } : { filename: "a.pdf" };
    const { id: type } = await sniffFile(path, hints);
    const run = await runOperation(docToPdf, { path, type }).catch((error) => error);
    const shown = run.outputs ? readPdf(run.outputs[0].path).text : String(run);
    found.set(label, { type, shown: shown.includes(text) || shown });
    wanted.set(label, { type: sample.type, shown: true });
  }
  expect(found).toEqual(wanted);
  expect(new Set(samples.map(({ type }) => type))).toEqual(new Set(officeTypes));
});
