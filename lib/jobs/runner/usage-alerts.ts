import { db, type Queryable } from "#lib/db/client.ts";
import {
  type DueMail,
  insertUsageAlerts,
  markMailSent,
  takeDueMail,
} from "#lib/db/queries/usage/usage-alerts.ts";
import { env } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { canSendMail, type Mail, sendMail } from "#lib/mail/send.ts";
import { plans } from "#lib/plans.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { formatQuotaBytes } from "#lib/quotas/thresholds.ts";
import { formatMonth, formatPeriodEnd } from "#lib/quotas/usage-alerts.ts";
import { sendAccountEvent } from "#lib/webhooks/endpoints/account-event.ts";
import { usageEventData } from "#lib/webhooks/endpoints/event-data.ts";

/** The most emails of one sweep. The next one continues. */
const maxMails = 100;

/**
 * Records the thresholds that accounts have reached, and their events for endpoints. Of several runners, one records an
 * alert.
 */
export async function recordUsageAlerts(tx: Queryable, now: Date = new Date()): Promise<void> {
  const reached = await insertUsageAlerts(tx, { period: periodOf(now), mails: canSendMail });
  for (const alert of reached) {
    const { accountId, period, threshold } = alert;
    const subject = `${period} ${threshold}`;
    const data = usageEventData(alert);
    await sendAccountEvent(tx, { accountId, event: "usage.threshold_reached", subject, data });
  }
  if (reached.length > 0) log.info({ alerts: reached.length }, "thresholds of usage reached");
}

/**
 * Sends the emails that are due. Any number of runners may do this at the same time: one at a time sends
 * an email. It is sent again only if the runner stops between the mail server's response and the record
 * of it.
 */
export async function sendUsageAlerts(now: Date = new Date()): Promise<void> {
  if (!canSendMail) return;
  const period = periodOf(now);
  for (let sent = 0; sent < maxMails; sent++) {
    const due = await takeDueMail(db(), period);
    if (!due) return;
    const { accountId: account, threshold } = due;
    try {
      await sendMail(writeMail(due, now));
    } catch (err) {
      // The server may be unavailable for all: the next sweep continues, and this one is tried later.
      log.warn({ err, account, threshold }, "email of a usage alert was not sent");
      return;
    }
    await markMailSent(db(), due);
    log.info({ account, threshold }, "email of a usage alert sent");
  }
}

function writeMail({ email, plan, threshold, usedBytes }: DueMail, now: Date): Mail {
  const { monthlyBytes } = plans[plan];
  const used = formatQuotaBytes(usedBytes);
  const included = monthlyBytes === null ? "no limit" : formatQuotaBytes(monthlyBytes);
  const month = formatMonth(now);
  const end = formatPeriodEnd(now);
  const isFull = threshold === 100;
  return {
    to: email,
    subject: isFull
      ? `Mediamill: your data for ${month} is used up`
      : `Mediamill: ${threshold}% of your data for ${month} is used`,
    text: [
      isFull
        ? `Your account has used the data of its ${plan} plan for ${month}: ${used} of ${included}.`
        : `Your account has used ${threshold}% of the data of its ${plan} plan for ${month}: ${used} of ${included}.`,
      isFull
        ? `Jobs that need more than what is left are rejected until ${end}.`
        : `Usage starts again at zero on ${end}.`,
      "",
      "What used it, by operation, API key and day:",
      `${env.APP_URL}/dashboard/usage`,
      "",
      "Another plan, or other alerts:",
      `${env.APP_URL}/dashboard/settings`,
      "",
    ].join("\n"),
  };
}
