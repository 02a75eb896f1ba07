import { z } from "zod";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "../../define.ts";
import {
  marginsFit,
  pageInputHeaders,
  printFields,
  toPrintRequest,
} from "../../fields/page/index.ts";
import { archiveInPlace } from "../../shared/pdf/archival/archive-in-place.ts";
import { mergePrinted } from "./merge-printed.ts";
import { printAll } from "./print-all.ts";
import { renderTemplate } from "./worker-functions.ts";

/** The template is rendered with all items within this time. */
const renderTimeoutMs = 30_000;

const maxItems = 1000;

/** The share of the progress that rendering the template takes. */
const renderShare = 5;

const item = z.record(z.string().max(1000), z.unknown());

const dataError = `must be a JSON object, or a list of 1 to ${maxItems} objects`;

export const templateToPdf = defineOperation({
  id: "document/template-to-pdf",
  title: "Template to PDF",
  summary: "Fill an HTML template with data and print it as a PDF, or one PDF for each item.",
  accepts: ["html", "txt"],
  params: z
    .strictObject({
      data: z
        .union([item, z.array(item).min(1, dataError).max(maxItems, dataError)], dataError)
        .meta({
          description:
            'The values for the Liquid template, a JSON object such as {"name": "Anna"} for {{ name }}, or a list of objects, each of which makes one document. Values are escaped for HTML, unless they have the filter raw. A name that is not in the data is an error, except in if and with the filter default. In addition to the filters of Liquid there are number and currency.',
          control: "json",
        }),
      split: z
        .boolean()
        .default(true)
        .describe("Whether each item of a list makes a PDF of its own, instead of one for all."),
      ...printFields,
    })
    .refine(...marginsFit),
  example: { data: { name: "Anna", items: [{ title: "Tea", price: 4.5 }] } },
  sample: {
    input: "invoice-template.html",
    params: {
      data: {
        number: "2026-0207",
        date: "2026-10-02",
        due: "2026-11-01",
        customer: { name: "Nordwind Outdoor GmbH", lines: ["Speicherstrasse 8", "20457 Hamburg"] },
        items: [
          { title: "Trail map, waterproof", quantity: 40, price: 9.5 },
          { title: "Poster “Lake at dusk”, A2", quantity: 12, price: 18 },
          { title: "Design of the display", quantity: 3, price: 95 },
        ],
        tax: 0.081,
      },
      margin: "2cm",
    },
  },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["chromium", "qpdf"],
  inputHeaders: pageInputHeaders,
  async run({ input, params, work, signal, progress }) {
    const items = [params.data].flat();
    const data = work.scratch("json");
    await writeNew(data.path, JSON.stringify(items));
    const { outputs: pages } = await callInWorker(renderTemplate, {
      files: [input, data],
      work,
      signal,
      timeoutMs: renderTimeoutMs,
    });
    progress(renderShare);
    const printedShare = params.pdf_a ? 50 : 95;
    const isSplit = params.split || pages.length === 1;
    const { info, ...request } = toPrintRequest(params);
    const { files, warnings } = await printAll({
      pages,
      template: input,
      work,
      signal,
      request: { ...request, info: isSplit ? info : undefined },
      allocate: () => (isSplit ? work.output("pdf") : work.scratch("pdf")),
      onProgress: (percent) =>
        progress(renderShare + (percent * (printedShare - renderShare)) / 100),
    });
    const printed = isSplit ? files : [await mergePrinted(files, info, work, signal)];
    const losses = new Set<string>();
    for (const [index, file] of printed.entries()) {
      const found = await archiveInPlace(file, params.pdf_a, work, signal);
      for (const loss of found) losses.add(loss);
      progress(printedShare + ((index + 1) / printed.length) * (95 - printedShare));
    }
    warnings.push(...losses);
    if (!isSplit) return { outputs: printed, warnings };
    const isOnly = files.length === 1;
    const outputs = files.map((file, index) =>
      isOnly ? file : { ...file, suffix: `-${index + 1}` },
    );
    return { outputs, warnings };
  },
});
