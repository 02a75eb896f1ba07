import { z } from "zod";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { defineOperation } from "../../define.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";
import { writeResult } from "../../write-result.ts";
import { fieldResult } from "./result.ts";
import { readForm } from "./worker-functions.ts";

const xfaWarning =
  "The form also has a part in XFA, a format that few readers support. Its fields are listed as far as the PDF itself has them.";

export const formFields = defineOperation({
  id: "document/form-fields",
  title: "List form fields",
  summary: "List the fields of a PDF form with their types, options, values and places.",
  accepts: ["pdf"],
  params: z.strictObject({}),
  example: {},
  sample: { input: "registration-form.pdf" },
  produces: () => "json",
  result: z.strictObject({
    fields: z.array(fieldResult).describe("The fields, in the order of the form."),
  }),
  runsIn: "runner",
  requires: ["qpdf", "image"],
  async run({ input, work, signal }) {
    const normalized = await normalizePdf(input, work, signal);
    const { result } = await callInWorker(readForm, { files: [normalized], work, signal });
    const written = await writeResult({ fields: result.fields }, work);
    return { ...written, warnings: result.has_xfa ? [xfaWarning] : [] };
  },
});
