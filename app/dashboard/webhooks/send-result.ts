import type { SendResult } from "#components/webhooks/send/results.ts";
import { parseWebhookUrl } from "#lib/api/http/url-field.ts";
import { RequestError } from "#lib/errors.ts";

/** Sends something to a URL that the user gave. The result is the delivery's id, or why it is not sent. */
export async function sendTo(
  accountId: string,
  url: string,
  send: (url: string) => Promise<{ readonly id: string }>,
): Promise<SendResult> {
  try {
    const { id } = await send(await parseWebhookUrl("url", url, accountId));
    return { id };
  } catch (error) {
    if (error instanceof RequestError) return { error: error.message };
    throw error;
  }
}
