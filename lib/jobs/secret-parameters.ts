import type { JobRow, JobTarget } from "#lib/db/schema/jobs.ts";
import { redactUrl } from "#lib/net/redact-url.ts";
import { findOperation, operations } from "#lib/operations/catalogue/index.ts";
import { parameterSchemas } from "#lib/operations/parameter-schema.ts";
import { hiddenValue } from "#lib/operations/secret-values.ts";
import { seal } from "#lib/service-secret.ts";
import { type ExportTarget, type RequestedStep, sealedFor, type TargetSecrets } from "./secrets.ts";

/** Which parameters of the operations are secret, and requests without them. */

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
const secretName =
  /password|passphrase|passwd|secret|token|api_?key|authorization|credential|(?:private|account)_?key|service_?account/i;

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

/** A request whose secrets are hidden. */
interface HiddenRequest {
  readonly steps: RequestedStep[];
  readonly target: JobTarget | null;
  /** The secrets, encrypted; null if there are none. */
  readonly secrets: string | null;
}

/**
 * The parameters of each step with `***` for the secret ones, the target without its secrets, and both kinds of
 * secrets encrypted for `jobId`.
 */
export function hideSecrets(
  jobId: string,
  steps: readonly RequestedStep[],
  target: ExportTarget | null,
): HiddenRequest {
  const values = steps.map(({ type, params }) => pick(params, secretParameters(type)));
  const hidden = steps.map(({ type, params }, index) => {
    const names = Object.keys(values[index] ?? {});
    return { type, params: { ...params, ...Object.fromEntries(names.map(hide)) } };
  });
  if (target && !target.connection) {
    const { urls, headers, keep } = target;
    const shown = { urls: urls.map(redactUrl), keep };
    const secrets: TargetSecrets = { urls, headers };
    return {
      steps: hidden,
      target: shown,
      secrets: seal(sealedFor(jobId), JSON.stringify([...values, secrets])),
    };
  }
  const hasSecrets = values.some((one) => Object.keys(one).length > 0);
  const secrets = hasSecrets ? seal(sealedFor(jobId), JSON.stringify(values)) : null;
  return { steps: hidden, target: target && shownTarget(target), secrets };
}

/** A target that is a connection has no secrets of its own. */
function shownTarget({ headers: _, ...target }: ExportTarget): JobTarget {
  return target;
}

const hide = (name: string) => [name, hiddenValue] as const;

/** Whether the job had secret parameters or a target, whose secrets are no longer stored. */
export function hasErasedSecrets(
  { secrets, target }: Pick<JobRow, "secrets" | "target">,
  steps: readonly RequestedStep[],
): boolean {
  const isHidden = ({ type, params }: RequestedStep) =>
    secretParameters(type).some((name) => params[name] === hiddenValue);
  const hasUrls = target !== null && target.connection === undefined;
  return secrets === null && (hasUrls || steps.some(isHidden));
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
