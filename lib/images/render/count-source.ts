import { db } from "#lib/db/client.ts";
import { countSourceBytes } from "#lib/db/queries/images/image-days.ts";
import { JobError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { type PlanName, plans } from "#lib/plans.ts";
import { periodOf } from "#lib/quotas/period.ts";
import { stoppingSignal } from "#lib/stopping.ts";

/** Counts the bytes of sources against the plans of accounts. */

/** How long the bytes of an account without a limit are collected. */
const intervalMs = 1000;

/** The bytes of accounts without a limit that are not written yet. */
const collected = new Map<string, number>();
let timer: NodeJS.Timeout | undefined;

/** Throws `JobError` `usage_limit_reached` if the plan's bytes of this period do not suffice. */
export async function countSource(accountId: string, plan: PlanName, bytes: number): Promise<void> {
  const limit = plans[plan].monthlyBytes;
  if (limit === null) {
    collected.set(accountId, (collected.get(accountId) ?? 0) + bytes);
    writeLater();
  } else if (!(await countSourceBytes(db(), { accountId, period: thisPeriod(), bytes, limit }))) {
    throw new JobError("usage_limit_reached", "The usage limit of the plan is reached.");
  }
}

const thisPeriod = () => periodOf(new Date());

function writeLater(): void {
  if (timer) return;
  timer = setInterval(() => void write(), intervalMs).unref();
  stoppingSignal().addEventListener("abort", () => void write(), { once: true });
}

async function write(): Promise<void> {
  const all = [...collected];
  collected.clear();
  for (const [accountId, bytes] of all) {
    const counted = { accountId, period: thisPeriod(), bytes, limit: null };
    await countSourceBytes(db(), counted).catch((err) => log.warn({ err }, "source not counted"));
  }
}
