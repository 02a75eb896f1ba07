import { db, type Queryable } from "#lib/db/client.ts";
import {
  type DueEndpointMail,
  takeDueEndpointMail,
  updateEndpoint,
} from "#lib/db/queries/webhooks/endpoints.ts";
import { listUnreportedKeys } from "#lib/db/queries/webhooks/expiring-keys.ts";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { canSendMail, type Mail, sendMail } from "#lib/mail/send.ts";
import { sendAccountEvent } from "#lib/webhooks/endpoints/account-event.ts";
import { keyEventData } from "#lib/webhooks/endpoints/event-data.ts";

/** What the sweep reports about endpoints, and to them. */

/** Writes `key.expiring` for API keys that expire soon, once for each endpoint that wants it. */
export async function reportExpiringKeys(tx: Queryable): Promise<void> {
  for (const { accountId, ...key } of await listUnreportedKeys(tx)) {
    const data = keyEventData(key);
    await sendAccountEvent(tx, { accountId, event: "key.expiring", subject: key.id, data });
  }
}

/** The most emails of one sweep. The next one continues. */
const maxMails = 100;

/**
 * Sends the emails about endpoints that the service has disabled. Any number of runners may do this at the same time:
 * one at a time sends an email. It is sent again only if the runner stops between the mail server's response and the
 * record of it.
 */
export async function sendEndpointMails(): Promise<void> {
  if (!canSendMail) return;
  for (let sent = 0; sent < maxMails; sent++) {
    const due = await takeDueEndpointMail(db());
    if (!due) return;
    try {
      await sendMail(writeMail(due));
    } catch (err) {
      // The server may be unavailable for all: the next sweep continues, and this one is tried later.
      log.warn({ err, endpoint: due.id }, "email of a disabled endpoint was not sent");
      return;
    }
    await updateEndpoint(db(), due, { mail: "sent" });
    log.info({ endpoint: due.id }, "email of a disabled endpoint sent");
  }
}

function writeMail({
  email,
  id,
  url,
  description,
  disabledReason,
  failingSince,
}: DueEndpointMail): Mail {
  const since = failingSince ? ` since ${failingSince.toISOString()}` : "";
  return {
    to: email,
    subject: "Mediamill: a webhook endpoint was disabled",
    text: [
      "This webhook endpoint of your account was disabled and gets no events any more:",
      url,
      ...(description === "" ? [] : [description]),
      "",
      disabledReason === "gone"
        ? "It answered 410 Gone, which says that it wants no more webhooks."
        : `It has answered no webhook with success${since}, for more than five days.`,
      "",
      "See its last attempts, and enable it again when it works:",
      `${env.APP_URL}/dashboard/webhooks/endpoints/${id}`,
      "",
    ].join("\n"),
  };
}
