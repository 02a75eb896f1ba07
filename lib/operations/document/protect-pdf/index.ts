import { randomBytes } from "node:crypto";
import { z } from "zod";
import { countPages } from "#lib/engines/pdf/run-qpdf.ts";
import { JobError } from "#lib/errors.ts";
import { defineOperation } from "../../define.ts";
import { secretText } from "../../fields/index.ts";
import { runQpdfJob } from "../../shared/pdf/run-qpdf-job.ts";
import { signatureWarnings } from "../../shared/pdf/signature-warning.ts";
import { encryptionOptions, permissions } from "./permissions.ts";

/** Bytes of UTF-8 of which AES-256 encryption makes the key (ISO 32000-2, 7.6.4.3.3). */
const maxPasswordBytes = 127;

const pdfPassword = (description: string) =>
  secretText(description, { max: maxPasswordBytes }).refine(
    (text) => Buffer.byteLength(text) <= maxPasswordBytes,
    `must be at most ${maxPasswordBytes} bytes of UTF-8`,
  );

export const protectPdf = defineOperation({
  id: "document/protect-pdf",
  title: "Protect PDF",
  summary: "Encrypt a PDF with a password (AES-256) and restrict what readers may do.",
  accepts: ["pdf"],
  params: z
    .strictObject({
      password: pdfPassword(
        "The password that opens the PDF. Without one, everyone can open it, and only the permissions count.",
      ).optional(),
      owner_password: pdfPassword(
        "The password that removes all restrictions. By default, it is a random one that no one knows.",
      ).optional(),
      permissions: z
        .array(z.enum(permissions))
        .max(permissions.length)
        .default([...permissions])
        .meta({
          description:
            "What people without the owner password may do. By default, everything is allowed; an empty list allows only reading. Some PDF programs ignore these restrictions.",
        }),
    })
    .refine(
      ({ password, owner_password }) => password !== undefined || owner_password !== undefined,
      { error: "or `owner_password` is required", path: ["password"] },
    )
    .refine(
      ({ password, owner_password }) => password === undefined || password !== owner_password,
      {
        error: "must differ from `password`, or else there are no restrictions",
        path: ["owner_password"],
      },
    ),
  example: { password: "correct horse battery staple", permissions: ["print"] },
  sample: { input: "contract.pdf" },
  produces: () => "pdf",
  runsIn: "runner",
  requires: ["qpdf"],
  async run({ input, params, work, signal }) {
    const { pages, encrypted } = await countPages(input, work, signal);
    if (encrypted) {
      const message = "The PDF is already protected. Remove its protection with unlock-pdf first.";
      throw new JobError("encrypted", message);
    }
    const output = work.output("pdf");
    const encrypt = {
      userPassword: params.password ?? "",
      ownerPassword: params.owner_password ?? randomBytes(32).toString("base64url"),
      "256bit": encryptionOptions(params.permissions),
    };
    await runQpdfJob(input, output, { encrypt }, work, signal);
    return { outputs: [{ ...output, pages }], warnings: await signatureWarnings(input) };
  },
});
