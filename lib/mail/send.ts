import type { Transporter } from "nodemailer";
import { env } from "#lib/env.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** Plain text, which every program shows and nobody takes for another page. */
  readonly text: string;
}

/** Whether this installation can send e-mail. */
export const canSendMail = env.SMTP_URL !== undefined;

let transport: Promise<Transporter> | undefined;

/** Sends an e-mail through the server that `SMTP_URL` names; rejects where that does not take it. */
export async function sendMail(mail: Mail): Promise<void> {
  transport ??= openTransport();
  await (await transport).sendMail({ from: env.SMTP_FROM, ...mail });
}

/** Loaded at the first e-mail, for most installations send none. */
async function openTransport(): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  return createTransport({ url: env.SMTP_URL ?? "", ...timeouts });
}
