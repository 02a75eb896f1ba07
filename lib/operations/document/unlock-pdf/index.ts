import { z } from "zod";
import { countPages } from "#lib/engines/pdf/run-qpdf.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "../../define.ts";
import { secretText } from "../../fields/index.ts";
import { runQpdfJob } from "../../shared/pdf/run-qpdf-job.ts";
import { signatureWarnings } from "../../shared/pdf/signature-warning.ts";

export const unlockPdf = defineOperation({
  id: "document/unlock-pdf",
  title: "Unlock PDF",
  summary: "Remove the password and the restrictions of a PDF whose password you know.",
  accepts: ["pdf"],
  params: z.strictObject({
    password: secretText("Password of the PDF: the one that opens it, or the owner password."),
  }),
  example: { password: "correct horse battery staple" },
  sample: { input: "contract-protected.pdf" },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["qpdf"],
  async run({ input, params, work, signal }) {
    const output = work.output("pdf");
    const job = { password: params.password, decrypt: "" };
    await runQpdfJob(input, output, job, work, signal).catch((error: unknown) => {
      if (!(error instanceof JobError) || error.code !== "encrypted") throw error;
      throw new JobError("encrypted", "The password is not the password of the PDF.", {
        cause: error,
      });
    });
    const { pages } = await countPages(output, work, signal);
    return { outputs: [{ ...output, pages }], warnings: await signatureWarnings(input) };
  },
});
