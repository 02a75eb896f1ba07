import { z } from "zod";
import { normalizePdf } from "#lib/engines/pdf/structure/open-document.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { defineOperation } from "../../define.ts";
import { writeResult } from "../../write-result.ts";

const formSchema = z.object({
  fields: z.array(z.record(z.string(), z.json())),
  has_xfa: z.boolean(),
});

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
  runsIn: "runner",
  requires: ["qpdf", "image"],
  async run({ input, work, signal }) {
    const normalized = await normalizePdf(input, work, signal);
    const { result } = await callInWorker({
      ...{ module: "engines/pdf/forms/read-form.ts", name: "readForm" },
      ...{ files: [normalized], options: {}, resultSchema: formSchema, work, signal },
    });
    const { outputs, result: data } = await writeResult({ fields: result.fields }, work);
    return { outputs, ...(data && { result: data }), warnings: result.has_xfa ? [xfaWarning] : [] };
  },
});
