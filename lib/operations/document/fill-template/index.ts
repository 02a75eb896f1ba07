import { rename } from "node:fs/promises";
import { z } from "zod";
import { convertToPdf } from "#lib/engines/libreoffice/libreoffice.ts";
import type { WorkFile } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "../../define.ts";
import { fetchPictures } from "./fetch-pictures.ts";
import { fillFile } from "./worker-functions.ts";

const templateTypes = ["docx", "xlsx", "pptx"] as const;

/** A template is filled within this time. */
const fillTimeoutMs = 60_000;

export const fillTemplate = defineOperation({
  id: "document/fill-template",
  title: "Fill office template",
  summary: "Fill a Word, Excel or PowerPoint template with data, as the same format or a PDF.",
  accepts: templateTypes,
  params: z.strictObject({
    data: z.record(z.string().max(1000), z.unknown(), "must be a JSON object").meta({
      description:
        'The values, a JSON object. {name} or {customer.name} is replaced by a value. {#items}…{/items} repeats what is between for each item of a list, or shows it if a value is true; {^items}…{/items} shows it if the value is empty or false. In a table or sheet, rows are repeated. {%logo} is a picture: a data URI, a URL, or {"image": data URI or URL, "width": millimeters}. A name that is not in the data is an error.',
      control: "json",
    }),
    format: z
      .enum(["same", "pdf"])
      .default("same")
      .describe("The format of the output: that of the template, or PDF."),
  }),
  example: { data: { name: "Anna", items: [{ title: "Tea", price: 4.5 }] } },
  sample: {
    input: "offer-template.docx",
    params: {
      data: {
        number: "2026-118",
        date: "2 October 2026",
        valid_until: "31 October 2026",
        customer: {
          name: "Nordwind Outdoor GmbH",
          contact: "Clara Voss",
          address: "Speicherstrasse 8\n20457 Hamburg",
        },
        items: [
          {
            title: "Trail map, waterproof",
            note: "Scale 1:25,000, folded",
            quantity: 40,
            price: "9.50",
            sum: "380.00",
          },
          {
            title: "Poster “Lake at dusk”, A2",
            note: null,
            quantity: 12,
            price: "18.00",
            sum: "216.00",
          },
          {
            title: "Design of the display",
            note: "Two rounds of changes",
            quantity: 3,
            price: "95.00",
            sum: "285.00",
          },
        ],
        total: "881.00",
        discount: { percent: 5, days: 10 },
      },
      format: "pdf",
    },
  },
  produces: (type, { format }) => (format === "pdf" ? "pdf" : type),
  runsIn: "runner",
  requires: ["libreoffice"],
  async run({ input, params, work, signal, progress }) {
    const type = templateTypes.find((one) => one === input.type.id);
    if (!type) throw new Error(`${input.type.id} is not a type of templates`);
    const data = work.scratch("json");
    await writeNew(data.path, JSON.stringify(params.data));
    const fill = (urls: readonly string[], pictures: readonly WorkFile[]) =>
      callInWorker(fillFile, {
        files: [input, data, ...pictures],
        options: { type, urls },
        work,
        signal,
        timeoutMs: fillTimeoutMs,
      });
    const first = await fill([], []);
    const { missing } = first.result;
    const { outputs } =
      missing.length > 0 ? await fill(missing, await fetchPictures(missing, work, signal)) : first;
    const [filled] = outputs;
    if (!filled) throw new Error("the worker wrote no document");
    if (params.format === "same") {
      const output = work.output(input.extension);
      await rename(filled.path, output.path);
      return { outputs: [output] };
    }
    progress(30);
    const output = work.output("pdf");
    await convertToPdf({ input: { ...filled, type: input.type }, output, work, pages: "", signal });
    return { outputs: [output] };
  },
});
