import type { JobRow } from "#lib/db/schema/jobs.ts";
import { findOperation, operations } from "#lib/operations/catalogue/index.ts";
import { parameterSchemas } from "#lib/operations/parameter-schema.ts";
import { reseal, seal, unseal } from "#lib/service-secret.ts";

/**
 * Secret parameters and files. The parameters of a job have `***` in place of each; the values are
 * encrypted with a key derived from `SECRET` in a column of their own, which is emptied when the job
 * ends.
 */

/** What is stored and shown in place of a secret value. */
export const hiddenValue = "***";

/** An operation of a job and its parameters, as a chain names them. */
export interface RequestedStep {
  readonly type: string;
  readonly params: Record<string, unknown>;
}

const secretNames = new Map<string, readonly string[]>();

/** The names of the secret parameters of an operation. */
function secretParameters(id: string): readonly string[] {
  const known = secretNames.get(id);
  if (known) return known;
  const operation = findOperation(id);
  if (!operation) return [];
  const { properties } = parameterSchemas(operation.params);
  const names = Object.keys(properties).filter((name) => properties[name]?.secret);
  secretNames.set(id, names);
  return names;
}

let secretNamesOfAll: ReadonlySet<string> | undefined;

/** Names of secrets that are no parameters, such as one that is misspelled. */
const secretName = /password|passphrase|passwd|secret|token|api_?key|authorization|credential/i;

/** Whether a field of a request may be a secret, by its name, for any operation. */
export function mayBeSecret(name: string): boolean {
  return allSecretNames().has(name) || secretName.test(name);
}

/** Whether a text, such as JSON that cannot be parsed, may have a field that is a secret. */
export function mayContainSecret(text: string): boolean {
  return secretName.test(text) || [...allSecretNames()].some((name) => text.includes(name));
}

function allSecretNames(): ReadonlySet<string> {
  secretNamesOfAll ??= new Set(operations.flatMap(({ id }) => secretParameters(id)));
  return secretNamesOfAll;
}

const secretParts = new Set(
  operations.flatMap(({ files = {} }) => Object.keys(files).filter((part) => files[part]?.secret)),
);

/** Whether the file of this part is deleted when its job ends. `part` may have the prefix of a chain. */
export function isSecretPart(part: string): boolean {
  return secretParts.has(part.replace(/^operations-\d+-/, ""));
}

/**
 * The parameters of each step with `***` for the secret ones, and these encrypted for `jobId`; null if
 * there are none.
 */
export function hideSecrets(
  jobId: string,
  steps: readonly RequestedStep[],
): { readonly steps: RequestedStep[]; readonly secrets: string | null } {
  const values = steps.map(({ type, params }) => pick(params, secretParameters(type)));
  if (values.every((one) => Object.keys(one).length === 0)) {
    return { steps: [...steps], secrets: null };
  }
  const hidden = steps.map(({ type, params }, index) => {
    const names = Object.keys(values[index] ?? {});
    return { type, params: { ...params, ...Object.fromEntries(names.map(hide)) } };
  });
  return { steps: hidden, secrets: seal(sealedFor(jobId), JSON.stringify(values)) };
}

const hide = (name: string) => [name, hiddenValue] as const;

/** The parameters of each step with the secret values of the job. */
export function revealParams(
  { id, secrets }: Pick<JobRow, "id" | "secrets">,
  steps: readonly RequestedStep[],
): RequestedStep[] {
  if (secrets === null) return [...steps];
  const values = JSON.parse(unseal(sealedFor(id), secrets)) as Record<string, unknown>[];
  return steps.map(({ type, params }, index) => ({
    type,
    params: { ...params, ...values[index] },
  }));
}

/** Whether the job had secret parameters, which are no longer stored. */
export function hasErasedSecrets(
  { secrets }: Pick<JobRow, "secrets">,
  steps: readonly RequestedStep[],
): boolean {
  const isHidden = ({ type, params }: RequestedStep) =>
    secretParameters(type).some((name) => params[name] === hiddenValue);
  return secrets === null && steps.some(isHidden);
}

/** The steps without their secret parameters, and the names of these. */
export function withoutSecrets(steps: readonly RequestedStep[]): {
  readonly steps: RequestedStep[];
  readonly hidden: string[];
} {
  const hidden = new Set<string>();
  const open = steps.map(({ type, params }) => {
    const names = secretParameters(type).filter((name) => params[name] !== undefined);
    for (const name of names) hidden.add(name);
    const kept = Object.entries(params).filter(([name]) => !names.includes(name));
    return { type, params: Object.fromEntries(kept) };
  });
  return { steps: open, hidden: [...hidden] };
}

function pick(params: Record<string, unknown>, names: readonly string[]) {
  const given = names.filter((name) => params[name] !== undefined);
  return Object.fromEntries(given.map((name) => [name, params[name]]));
}

const sealedFor = (jobId: string) => ({ purpose: "job secrets", id: jobId });

/**
 * Encrypts secrets again with the current `SECRET`; undefined if they are encrypted with it, or if
 * no accepted secret decrypts them.
 */
export function reencrypt(jobId: string, sealed: string): string | undefined {
  return reseal(sealedFor(jobId), sealed);
}
