import { rename } from "node:fs/promises";
import { z } from "zod";
import { countPages } from "#lib/engines/pdf/run-qpdf.ts";
import type { WorkFile, WorkFolder } from "#lib/engines/sandbox/work-folder.ts";
import { callInWorker } from "#lib/engines/worker/call.ts";
import { env } from "#lib/env.ts";
import { JobError } from "#lib/errors.ts";
import { openRegular, writeNew } from "#lib/files/regular-files.ts";
import { defineOperation } from "../../define.ts";
import { secretText } from "../../fields/index.ts";
import { normalizePdf } from "../../shared/pdf/normalize-pdf.ts";
import { hasSignatures } from "../../shared/pdf/signature-warning.ts";
import { printTextBoxes } from "../../shared/to-pdf/print-text-boxes.ts";
import { findFreePlace } from "./find-free-place.ts";
import { requestTimestamp } from "./request-timestamp.ts";
import type { TimestampOptions } from "./sign-tasks.ts";
import { signatureBoxSize, signatureTexts } from "./signature-box.ts";
import { describeSigning, signDocument, stampDocument } from "./worker-functions.ts";

const note = (description: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .refine((text) => !/\p{Cc}/u.test(text), "must be one line of text")
    .refine((text) => text.isWellFormed(), "must be valid Unicode")
    .optional()
    .describe(description);

export const signPdf = defineOperation({
  id: "document/sign-pdf",
  title: "Sign PDF",
  summary: "Sign a PDF with a certificate, as PAdES-B-B or B-T. Earlier signatures stay valid.",
  accepts: ["pdf"],
  params: z.strictObject({
    password: secretText("Password of the certificate; empty if it has none.", { min: 0 }),
    reason: note("Why you sign, such as I approve this document."),
    location: note("Where you sign."),
    visible: z
      .boolean()
      .default(false)
      .describe(
        "Whether a box with name, date, reason and location is drawn: in the field that the PDF has for a signature, or else on empty space of the last page.",
      ),
    timestamp: z
      .boolean()
      .optional()
      .describe(
        "Whether a time stamp proves when you signed (PAdES-B-T). By default, if the service has a time stamp server.",
      ),
  }),
  rejects: (_, { timestamp }) =>
    timestamp && env.TIMESTAMP_URL === undefined
      ? "`timestamp` must be false or omitted: this service has no time stamp server (`TIMESTAMP_URL`)."
      : undefined,
  files: {
    certificate: {
      accepts: ["p12"],
      required: true,
      secret: true,
      description:
        "A PKCS#12 file (.p12 or .pfx) with your certificate and its private key, RSA or EC.",
    },
  },
  example: { password: "correct horse battery staple", reason: "I approve this document" },
  sample: {
    input: "contract.pdf",
    files: { certificate: "maria-jensen.p12" },
    params: {
      password: "correct horse battery staple",
      reason: "I approve this agreement",
      location: "Hamburg",
      visible: true,
    },
  },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["qpdf", "poppler", "image", "chromium"],
  async run({ input, files, params, work, signal }) {
    const { encrypted, repaired } = await countPages(input, work, signal);
    if (encrypted) {
      throw new JobError(
        "encrypted",
        "The PDF is protected. Remove its protection with unlock-pdf first.",
      );
    }
    if (!files.certificate) throw new Error("the certificate is missing");
    const source = await repairUnsigned(input, repaired, work, signal);
    const inputs = [source, files.certificate];
    const time = new Date();
    const keyOptions = { password: params.password, time: time.toISOString() };
    const { reason = null, location = null } = params;
    let place = null;
    if (params.visible) {
      const { result } = await callInWorker(describeSigning, {
        files: inputs,
        options: keyOptions,
        work,
        signal,
      });
      if (!result.has_field) {
        const page = { ...result, number: result.page };
        const box = await findFreePlace(source, page, signatureBoxSize, work, signal);
        place = { page: result.page, box };
      }
      const texts = signatureTexts({ name: result.name, time, reason, location });
      inputs.push(await printTextBoxes(texts, work, signal));
    }
    const { outputs, result } = await callInWorker(signDocument, {
      files: inputs,
      options: { ...keyOptions, reason, location, place, hasTimestamp: wantsTimestamp(params) },
      work,
      signal,
    });
    const [signed] = outputs;
    if (!signed) throw new Error("a worker returned no PDF");
    const stamped = result.timestamp ? await stamp(signed, result.timestamp, work, signal) : signed;
    const output = work.output("pdf");
    await rename(stamped.path, output.path);
    return { outputs: [{ ...output, pages: result.pages }] };
  },
});

const wantsTimestamp = ({ timestamp }: { timestamp?: boolean | undefined }) =>
  timestamp ?? env.TIMESTAMP_URL !== undefined;

/** Adds a time stamp of the signature, from the operator's server. */
async function stamp(
  signed: WorkFile,
  options: TimestampOptions,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const response = work.scratch("tsr");
  const request = Buffer.from(options.request, "base64");
  await writeNew(response.path, await requestTimestamp(request, signal));
  const files = [signed, response];
  const { outputs } = await callInWorker(stampDocument, { files, options, work, signal });
  const [stamped] = outputs;
  if (!stamped) throw new Error("a worker returned no PDF");
  return stamped;
}

/** A file with a damaged structure is rewritten before it is signed, unless it has signatures. */
async function repairUnsigned(
  input: WorkFile,
  isDamaged: boolean,
  work: WorkFolder,
  signal: AbortSignal,
): Promise<WorkFile> {
  const isSound = !isDamaged && (await startsWithHeader(input));
  if (isSound || (await hasSignatures(input))) return input;
  return normalizePdf(input, work, signal);
}

/** Offsets in a PDF count from its header, which other data may precede. */
async function startsWithHeader({ path }: WorkFile): Promise<boolean> {
  const file = await openRegular(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(5), 0, 5, 0);
    return buffer.toString("latin1") === "%PDF-";
  } finally {
    await file.close();
  }
}
