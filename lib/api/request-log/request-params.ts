import { hideApiKeys } from "#lib/auth/api-keys.ts";
import type { RequestParams } from "#lib/db/schema/dashboard/api-requests.ts";
import { mayBeSecret, mayContainSecret } from "#lib/jobs/secret-parameters.ts";
import { redactUrl } from "#lib/net/redact-url.ts";
import { hiddenValue } from "#lib/operations/secret-values.ts";
import type { RecordedBody } from "../definition/endpoint.ts";

/** The most characters of a text that are kept. */
const maxText = 1000;

/** The approximate maximum of characters of all values of a request. */
const maxTotal = 8000;

/** The most entries of an object or a list, and how deep objects are nested. */
const maxEntries = 50;
const maxDepth = 6;

/** Stands for what is left out. */
const omitted = "…";

/** Whether a value was truncated or hidden, so that it cannot be sent again. */
export function isComplete(value: unknown): boolean {
  if (typeof value === "string") return value !== hiddenValue && !value.endsWith(omitted);
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([name, one]) => name !== omitted && isComplete(one));
}

/**
 * What a request sent, to be shown to its account: fields that may be secret are `***`, URLs have no user info and
 * no query values, and long values are truncated. Has no text that PostgreSQL rejects.
 */
export function summarizeParams(url: URL, body: RecordedBody | undefined): RequestParams {
  const budget = { left: maxTotal };
  const { fields = {}, files = [] } = body ?? {};
  const query = [...url.searchParams];
  return {
    ...(query.length > 0 && {
      query: summarizeEntries(
        // `metadata[token]=…` is a field too.
        query.map(([name, value]) => [name, mayBeSecret(name) ? hiddenValue : value]),
        0,
        budget,
      ),
    }),
    ...(Object.keys(fields).length > 0 && {
      fields: summarizeEntries(
        Object.entries(fields).map(([name, value]) => [
          name,
          body?.encoding === "multipart" ? parseText(value) : value,
        ]),
        0,
        budget,
      ),
    }),
    ...(files.length > 0 && {
      files: files.slice(0, maxEntries).map(({ field, filename, bytes }) => ({
        field: cleanText(field),
        filename: cleanText(filename),
        bytes,
      })),
    }),
  };
}

interface Budget {
  left: number;
}

function summarize(name: string, value: unknown, depth: number, budget: Budget): unknown {
  if (mayBeSecret(name)) return hiddenValue;
  if (budget.left <= 0) return omitted;
  budget.left -= 4;
  if (typeof value === "string") return summarizeText(value, budget);
  if (typeof value !== "object" || value === null) return value;
  if (depth >= maxDepth) return omitted;
  if (!Array.isArray(value)) return summarizeEntries(Object.entries(value), depth + 1, budget);
  const items = value.slice(0, maxEntries).map((item) => summarize(name, item, depth + 1, budget));
  return value.length > maxEntries ? [...items, omitted] : items;
}

function summarizeEntries(
  entries: readonly (readonly [string, unknown])[],
  depth: number,
  budget: Budget,
): Record<string, unknown> {
  const kept = entries.slice(0, maxEntries).map(([name, value]) => {
    budget.left -= name.length;
    return [cleanText(name), summarize(name, value, depth, budget)] as const;
  });
  const rest = entries.length > maxEntries ? [[omitted, entries.length - maxEntries] as const] : [];
  return Object.fromEntries([...kept, ...rest]);
}

function summarizeText(text: string, budget: Budget): string {
  // JSON as text, such as a chain with a missing bracket: its secrets cannot be found.
  if (/^\s*[[{]/.test(text) && mayContainSecret(text)) return hiddenValue;
  const shown = /^https?:\/\//i.test(text) ? showUrl(text) : text;
  const cleaned = hideApiKeys(cleanText(shown));
  budget.left -= cleaned.length;
  return cleaned;
}

function showUrl(text: string): string {
  return URL.canParse(text) ? redactUrl(text) : text.replace(/\?.*/s, "?");
}

/** JSON in a field of a form, whose fields have names that may be secret; else the value. */
function parseText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(parseText);
  if (typeof value !== "string" || !/^\s*[[{]/.test(value) || value.length > maxTotal * 4) {
    return value;
  }
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

/** The start of a text, without characters that PostgreSQL does not store. */
export function cleanText(text: string): string {
  const kept = text.length > maxText ? `${text.slice(0, maxText)}${omitted}` : text;
  return kept.toWellFormed().replaceAll("\0", "�");
}
