/** The plans. Every limit that depends on the plan is a field here. */

const megabyte = 10 ** 6;
const gigabyte = 10 ** 9;

export interface Plan {
  readonly name: PlanName;
  /** The bytes of input per calendar month; null is unlimited. */
  readonly monthlyBytes: number | null;
  /** The bytes of one file; null is unlimited. */
  readonly maxFileBytes: number | null;
  /** The priority of jobs; higher goes first. */
  readonly priority: number;
  /** Requests that create jobs, per minute; null is unlimited. */
  readonly requestsPerMinute: number | null;
  /** Jobs that run at the same time; more jobs wait. Null is unlimited. */
  readonly concurrentJobs: number | null;
  /** How long inputs and outputs are kept. */
  readonly retentionHours: number;
  /** How long a job may run, if that is less than `JOB_TIMEOUT`. */
  readonly jobSeconds?: number;
  /** What the files of one job may load from the network, such as a page its resources. Null: nothing, and no URLs. */
  readonly network: { readonly requests: number; readonly bytes: number } | null;
}

/**
 * The limits of what a file loads from the network: far more than pages need, and less than a
 * flood.
 */
const network = { requests: 500, bytes: 200 * megabyte };

/** The plans that accounts can have, smallest first. */
export const planNames = ["free", "pro", "business", "enterprise"] as const;
export type OfferedPlanName = (typeof planNames)[number];

/**
 * The names of all plans, also of those for people who try operations without an account, and for
 * the service's own status checks.
 */
export const allPlanNames = ["system", "visitor", ...planNames] as const;
export type PlanName = (typeof allPlanNames)[number];

/** How many jobs of the visitor plan run at the same time, of all visitors together. */
export const runningVisitorJobs = 1;

export const plans: Readonly<Record<PlanName, Plan>> = {
  system: {
    name: "system",
    monthlyBytes: null,
    maxFileBytes: null,
    priority: -2,
    requestsPerMinute: null,
    concurrentJobs: 1,
    retentionHours: 1,
    jobSeconds: 120,
    network: null,
  },
  visitor: {
    name: "visitor",
    monthlyBytes: 100 * megabyte,
    maxFileBytes: 10 * megabyte,
    priority: -1,
    requestsPerMinute: 10,
    concurrentJobs: 1,
    retentionHours: 1,
    jobSeconds: 120,
    network: null,
  },
  free: {
    name: "free",
    monthlyBytes: gigabyte,
    maxFileBytes: 100 * megabyte,
    priority: 0,
    requestsPerMinute: 10,
    concurrentJobs: 2,
    retentionHours: 24,
    network,
  },
  pro: {
    name: "pro",
    monthlyBytes: 25 * gigabyte,
    maxFileBytes: 2 * gigabyte,
    priority: 1,
    requestsPerMinute: 60,
    concurrentJobs: 5,
    retentionHours: 168,
    network,
  },
  business: {
    name: "business",
    monthlyBytes: 200 * gigabyte,
    maxFileBytes: 10 * gigabyte,
    priority: 2,
    requestsPerMinute: 300,
    concurrentJobs: 20,
    retentionHours: 720,
    network,
  },
  enterprise: {
    name: "enterprise",
    monthlyBytes: null,
    maxFileBytes: null,
    priority: 3,
    requestsPerMinute: null,
    concurrentJobs: null,
    retentionHours: 720,
    network,
  },
};

/** The plan as the API and the dashboard show it. Visitors and the system have neither a key nor a session. */
export function offeredPlan(plan: PlanName): OfferedPlanName {
  return plan === "visitor" || plan === "system" ? "free" : plan;
}

/** Formats bytes as `100 MB` or `2 GB`, in decimal units as on the plans page. */
export function formatPlanBytes(bytes: number): string {
  return bytes >= gigabyte ? `${bytes / gigabyte} GB` : `${bytes / megabyte} MB`;
}

/** The most bytes that one file may have, and what says so. */
export interface FileLimit {
  readonly bytes: number;
  readonly owner: "plan" | "token" | "upload";
}

/** The limit of a plan or, if it is lower, of a browser token; null if there is none. */
export function fileLimitOf(
  { maxFileBytes }: Pick<Plan, "maxFileBytes">,
  tokenBytes: number | null = null,
): FileLimit | null {
  if (tokenBytes !== null && (maxFileBytes === null || tokenBytes < maxFileBytes)) {
    return { bytes: tokenBytes, owner: "token" };
  }
  return maxFileBytes === null ? null : { bytes: maxFileBytes, owner: "plan" };
}

/** The message for a file that is larger than the limit. */
export function fileTooLargeMessage({ bytes, owner }: FileLimit): string {
  const limit = {
    plan: `your plan's maximum of ${formatPlanBytes(bytes)}`,
    token: `the ${bytes} bytes that the browser token allows`,
    upload: `the ${bytes} bytes of the upload`,
  };
  return `The file is larger than ${limit[owner]}.`;
}
