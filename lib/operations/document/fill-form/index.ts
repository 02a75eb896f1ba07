import { z } from "zod";
import { type QpdfArgument, runQpdf } from "#lib/engines/pdf/run-qpdf.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { readReport, writeNew } from "#lib/files/regular-files.ts";
import { textBoxesSchema } from "#lib/formats/pdf/text/text-box.ts";
import { defineOperation } from "../../define.ts";
import { fillFields, planTextBoxes } from "../../shared/pdf/forms/worker-functions.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";
import { objectStreamsOf } from "../../shared/pdf/object-streams.ts";
import { signatureWarnings } from "../../shared/pdf/signature-warning.ts";
import { printTextBoxes } from "../../shared/to-pdf/print-text-boxes.ts";

const text = z
  .string()
  .max(20_000)
  .refine((value) => value.isWellFormed(), "must be valid Unicode");

const value = z.union([text, z.number(), z.boolean(), z.array(text).max(1000), z.null()]);

const maxValues = 2000;

export const fillForm = defineOperation({
  id: "document/fill-form",
  title: "Fill form",
  summary: "Fill the fields of a PDF form with text in any script, check marks and options.",
  accepts: ["pdf"],
  params: z.strictObject({
    values: z
      .record(z.string().max(1000), value)
      .refine(
        (values) => Object.keys(values).length <= maxValues,
        `must have at most ${maxValues} values`,
      )
      .meta({
        description:
          "The value of each field by its full name, as form-fields lists it: text, true or false for a check box, an option, a list of options, or null to clear the field. Fields that are not named keep their values.",
        control: "json",
        maxProperties: maxValues,
      }),
    flatten: z
      .boolean()
      .default(false)
      .describe("Whether the fields become part of the page, so that no one can change them."),
  }),
  example: { values: {}, flatten: true },
  sample: {
    input: "registration-form.pdf",
    params: {
      values: {
        "attendee.name": "Layla Haddad · ليلى حداد",
        "attendee.organisation": "Museum of Fine Arts",
        "attendee.email": "layla@example.org",
        "attendee.postal_code": "04109",
        "attendee.country": "Jordan",
        admission: "regular",
        workshops: ["Paper repair", "Japanese papers"],
        notes: "I bring two sheets of 和紙 from the 1920s.",
        vegetarian: true,
      },
    },
  },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["qpdf", "poppler", "image", "chromium"],
  async run({ input, params, work, signal }) {
    const normalized = await normalizePdf(input, work, signal);
    const values = work.scratch("json");
    await writeNew(values.path, JSON.stringify(params.values));
    const files = [normalized, values];
    const { outputs: plans } = await callInWorker(planTextBoxes, { files, work, signal });
    const boxes = textBoxesSchema.parse(JSON.parse(await readReport(plans[0]?.path ?? "", "utf8")));
    if (boxes.length > 0) files.push(await printTextBoxes(boxes, work, signal));
    const { outputs: filled, result } = await callInWorker(fillFields, {
      files,
      options: { flatten: params.flatten },
      work,
      signal,
    });
    const output = work.output("pdf");
    const [written] = filled;
    if (!written) throw new Error("a worker returned no PDF");
    const structure = `--object-streams=${await objectStreamsOf(written)}`;
    const args: QpdfArgument[] = ["--stream-data=preserve", structure, written];
    if (normalized.encrypted) args.push(["--copy-encryption=", input]);
    await runQpdf({ args, output }, work, signal);
    const warnings = await signatureWarnings(input);
    if (result.removed_xfa)
      warnings.push("The XFA part of the form was removed, because readers would show its values.");
    if (result.calculates)
      warnings.push("The form computes some fields by JavaScript, which was not run.");
    return { outputs: [{ ...output, pages: result.pages }], warnings };
  },
});
