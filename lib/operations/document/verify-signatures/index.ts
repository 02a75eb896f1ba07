import { z } from "zod";
import { readPdfInfo } from "#lib/engines/pdf/qpdf.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "../../define.ts";
import { writeResult } from "../../write-result.ts";
import { readPdfsigStates } from "./pdfsig.ts";
import { readSignatureRoots } from "./read-roots.ts";
import { signaturesResult } from "./result.ts";
import * as functions from "./worker-functions.ts";

export const verifySignatures = defineOperation({
  id: "document/verify-signatures",
  title: "Verify signatures",
  summary:
    "Verify the digital signatures of a PDF, and report who signed it and what changed since.",
  accepts: ["pdf"],
  params: z.strictObject({}),
  example: {},
  sample: { input: "contract-signed.pdf" },
  produces: () => "json",
  result: signaturesResult,
  runsIn: "runner",
  requires: ["poppler", "image"],
  async run({ input, work, signal }) {
    const { encrypted } = await readPdfInfo(input, work, signal);
    if (encrypted) {
      throw new JobError("encrypted", "The signatures of a protected PDF cannot be verified.");
    }
    const { result } = await callInWorker(functions.verifySignatures, {
      files: [input],
      options: { roots: await readSignatureRoots() },
      work,
      signal,
    });
    const states = await readPdfsigStates(input, work, signal);
    const warnings = result.signatures.flatMap(({ field, valid }) => {
      const other = states.get(field);
      const agrees = other === undefined || other === valid;
      return agrees ? [] : [`Another program, pdfsig, disagrees about the signature ${field}.`];
    });
    return { ...(await writeResult(result, work)), warnings };
  },
});
