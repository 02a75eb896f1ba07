import { JobError } from "#lib/errors.ts";
import { type OfferedPlanName, offeredPlan, type PlanName } from "#lib/plans.ts";
import type { FileLimit, LimitUnit } from "./file-limit.ts";
import { fileLimits } from "./table.ts";

export type { FileLimit } from "./file-limit.ts";
export { fileLimits } from "./table.ts";

export type LimitId = keyof typeof fileLimits;

/** Every limit as a number, for one plan. */
export type FileLimits = Readonly<Record<LimitId, number>>;

/** The limits of a job that was accepted under `plan`. Visitors have those of the free plan. */
export function limitsForPlan(plan: PlanName): FileLimits {
  const numbers = Object.entries(fileLimits).map(([id, { max }]) => [
    id,
    typeof max === "number" ? max : max[offeredPlan(plan)],
  ]);
  // One number for each row of the table.
  return Object.fromEntries(numbers) as FileLimits;
}

/** The highest limits of all plans, for work that belongs to no plan. */
export const widestLimits: FileLimits = limitsForPlan("enterprise");

/** The failure of a job that exceeds the limit `id`; `max` is the value that applied. */
export function limitError(id: LimitId, max: number, cause?: unknown): JobError {
  const { code, message, unit }: FileLimit = fileLimits[id];
  if (code === "invalid_parameter" || !message) throw new Error(`${id} is not a limit of jobs`);
  const text = message.replace("{max}", formatAmount(max, unit));
  return new JobError(code, text, cause === undefined ? {} : { cause });
}

/** A readable amount with its unit: `100 megapixels`, `20 MB`, `24 hours`, `10,000 parts`. */
export function formatAmount(amount: number, unit: LimitUnit): string {
  const number = (value: number) => value.toLocaleString("en-US", { maximumFractionDigits: 0 });
  if (unit === "pixels" && amount >= 1e6) return `${Math.floor(amount / 1e6)} megapixels`;
  if (unit === "bytes") {
    if (amount >= 1e9) return `${number(amount / 1e9)} GB`;
    return amount >= 1e6 ? `${number(amount / 1e6)} MB` : `${number(amount)} bytes`;
  }
  if (unit === "seconds") {
    if (amount >= 3600) return `${number(amount / 3600)} hours`;
    return amount >= 120 ? `${number(amount / 60)} minutes` : `${number(amount)} seconds`;
  }
  if (unit === "Hz") return amount >= 1000 ? `${number(amount / 1000)} kHz` : `${amount} Hz`;
  return `${number(amount)} ${unit === "px" ? "pixels" : unit}`;
}

/** A row of the limits table for the docs; `max` by plan if it differs. */
export interface LimitRow extends Pick<FileLimit, "kind" | "description" | "code"> {
  readonly id: LimitId;
  readonly max: string | Readonly<Record<OfferedPlanName, string>>;
}

/** The limits with readable amounts, in the order of the table. */
export function describeLimits(): LimitRow[] {
  return Object.entries(fileLimits).map(([id, limit]: [string, FileLimit]) => {
    const { kind, description, code, max, unit } = limit;
    const format = (amount: number) => formatAmount(amount, unit);
    const formatted =
      typeof max === "number"
        ? format(max)
        : {
            free: format(max.free),
            pro: format(max.pro),
            business: format(max.business),
            enterprise: format(max.enterprise),
          };
    // The keys of the table are the ids.
    return { id: id as LimitId, kind, description, code, max: formatted };
  });
}
