import { JobError } from "#lib/errors.ts";
import { type CapPlan, type FileLimit, fileLimits, type LimitUnit } from "./table.ts";

export { type FileLimit, fileLimits } from "./table.ts";

export type LimitId = keyof typeof fileLimits;

/** Every cap as a number, for one plan. */
export type FileLimits = Readonly<Record<LimitId, number>>;

/** The caps of jobs that were accepted under `plan`. */
export function limitsOf(plan: CapPlan): FileLimits {
  const numbers = Object.entries(fileLimits).map(([id, { most }]) => [
    id,
    typeof most === "number" ? most : most[plan],
  ]);
  // One number for each row of the table.
  return Object.fromEntries(numbers) as FileLimits;
}

/** The widest caps of all plans: for what runs for no job of a plan's. */
export const widestLimits: FileLimits = limitsOf("enterprise");

/** The error of a job that is past the cap `id`, which is `most`. */
export function limitError(id: LimitId, most: number, cause?: unknown): JobError {
  const { code, sentence, unit }: FileLimit = fileLimits[id];
  if (code === "invalid_parameter" || !sentence) throw new Error(`no job fails by ${id}`);
  const text = sentence.replace("{most}", describeAmount(most, unit));
  return new JobError(code, text, cause === undefined ? {} : { cause });
}

/** An amount in words: `100 megapixels`, `20 MB`, `24 hours`, `10,000 parts`. */
export function describeAmount(amount: number, unit: LimitUnit): string {
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

/** A row of the table of caps in words; `most` by plan where it differs. */
export interface LimitRow extends Pick<FileLimit, "kind" | "what" | "code"> {
  readonly id: LimitId;
  readonly most: string | Readonly<Record<CapPlan, string>>;
}

/** The table of caps in words, in its order, for the docs. */
export function describeLimits(): LimitRow[] {
  return Object.entries(fileLimits).map(([id, cap]: [string, FileLimit]) => {
    const { kind, what, code, most, unit } = cap;
    const words = (amount: number) => describeAmount(amount, unit);
    const said =
      typeof most === "number"
        ? words(most)
        : {
            free: words(most.free),
            pro: words(most.pro),
            business: words(most.business),
            enterprise: words(most.enterprise),
          };
    // The keys of the table are the ids.
    return { id: id as LimitId, kind, what, code, most: said };
  });
}
