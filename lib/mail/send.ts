import type { Transporter } from "nodemailer";
import { env } from "#lib/env.ts";

export interface Mail {
  readonly to: string;
  readonly subject: string;
  /** The plain text of the mail: every program displays it, and it cannot imitate a web page. */
  readonly text: string;
}

/** Whether this installation can send email. */
export const canSendMail = env.SMTP_URL !== undefined;

let transport: Promise<Transporter> | undefined;

/** Sends an email through the server of `SMTP_URL`. Throws if the server does not accept it. */
export async function sendMail(mail: Mail): Promise<void> {
  transport ??= openTransport();
  await (await transport).sendMail({ from: env.SMTP_FROM, ...mail });
}

/** Loads nodemailer at the first email, because most installations send none. */
async function openTransport(): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const timeouts = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };
  return createTransport({ url: env.SMTP_URL ?? "", ...timeouts });
}
