import { findPathFault } from "#lib/connections/file-reference.ts";
import { findPlaceholderFault } from "#lib/connections/target-path.ts";
import { InvalidUrlError, incompleteUrlMessage, parseFetchUrl } from "#lib/fetch-url.ts";
import { maxMetadataLength, maxMetadataValues } from "#lib/jobs/metadata-limits.ts";
import type { OutputTarget } from "../connections/output-target.ts";
import type { FormError } from "../form/form-error.ts";
import { filledEntries, type JobOptions } from "../form/job-options.ts";

/**
 * What the API would reject, before anything is uploaded. Whether a webhook's address may be called is left to the
 * service.
 */
export function validateOptions(options: JobOptions): FormError | undefined {
  const url = findUrlError(options.webhookUrl.trim());
  if (url) return { field: "webhook_url", message: `\`webhook_url\` ${url}.` };
  const target = options.target && findTargetError(options.target);
  if (target !== undefined) return { field: "output", message: target };
  const metadata = findMetadataError(options);
  return metadata === undefined ? undefined : { field: "metadata", message: metadata };
}

function findUrlError(text: string): string | undefined {
  if (text === "") return undefined;
  try {
    parseFetchUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidUrlError) return error.message;
    throw error;
  }
}

function findTargetError({ kind, connection, path, url }: OutputTarget): string | undefined {
  if (kind === "url") {
    const fault = url.trim() === "" ? incompleteUrlMessage : findUrlError(url.trim());
    return fault && `\`output.url\` ${fault}.`;
  }
  if (connection === "") return "Choose the connection that gets the outputs.";
  const text = path.trim();
  const fault = text === "" ? undefined : (findPathFault(text) ?? findPlaceholderFault(text));
  return fault && `\`output.path\` ${fault}.`;
}

function findMetadataError(options: JobOptions): string | undefined {
  const entries = filledEntries(options);
  if (entries.length > maxMetadataValues) {
    return `\`metadata\` must have at most ${maxMetadataValues} values.`;
  }
  if (entries.some(({ name }) => name === "")) return "Each value of `metadata` needs a name.";
  const names = entries.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return "Each name in `metadata` must be different.";
  if (names.some(isUnstorable)) {
    return `\`metadata\` must have names of at most ${maxMetadataLength} characters of valid text.`;
  }
  if (entries.some(({ value }) => value.length > maxMetadataLength)) {
    return `\`metadata\` must have values of at most ${maxMetadataLength} characters.`;
  }
  if (entries.some(({ value }) => isUnstorable(value))) {
    return "`metadata` must be valid text without NUL.";
  }
  return undefined;
}

function isUnstorable(text: string): boolean {
  return text.length > maxMetadataLength || !text.isWellFormed() || text.includes("\0");
}
