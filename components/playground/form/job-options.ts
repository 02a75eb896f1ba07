import { type OutputTarget, targetFields } from "../connections/output-target.ts";

/** What a job has apart from its operations and files, as the form keeps it. */
export interface JobOptions {
  /** The URL for the job's webhooks; empty for none. */
  readonly webhookUrl: string;
  readonly metadata: readonly MetadataEntry[];
  /**
   * Whether the files between the steps of a chain that the page runs are shown too. They are kept
   * unless it is false.
   */
  readonly keepsSteps?: boolean;
  /** Where the outputs are sent; absent if they are only kept here. */
  readonly target?: OutputTarget | undefined;
}

export interface MetadataEntry {
  readonly name: string;
  readonly value: string;
}

export const noOptions: JobOptions = { webhookUrl: "", metadata: [] };

/** The entries that are filled in. */
export function filledEntries({ metadata }: JobOptions): MetadataEntry[] {
  return metadata.filter(({ name, value }) => name !== "" || value !== "");
}

export function hasOptions(options: JobOptions): boolean {
  const { target, webhookUrl } = options;
  return target !== undefined || webhookUrl.trim() !== "" || filledEntries(options).length > 0;
}

/** The options as fields of a request. Those that are not filled in are left out. */
export function optionFields(options: JobOptions): Record<string, unknown> {
  const url = options.webhookUrl.trim();
  const entries = filledEntries(options);
  return {
    ...(options.target && targetFields(options.target)),
    ...(url !== "" && { webhook_url: url }),
    ...(entries.length > 0 && {
      metadata: Object.fromEntries(entries.map(({ name, value }) => [name, value])),
    }),
  };
}

/** The options without a presigned URL, which is a secret. */
export function withoutPresignedUrl({ target, ...options }: JobOptions): JobOptions {
  return target?.kind === "connection" ? { ...options, target } : options;
}
