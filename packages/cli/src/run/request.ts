import { readFileSync } from "node:fs";
import { stat } from "node:fs/promises";
import type { CatalogueOperation, Parameter } from "../catalogue/operation.ts";
import { parseValue } from "../catalogue/parse-value.ts";
import { UsageError } from "../errors.ts";
import { isRemote } from "./sources.ts";

/** What is sent for every task of a call. */
export interface RunRequest {
  /** The id of the operation, or `chain`. */
  readonly id: string;
  readonly inputs: CatalogueOperation["inputs"];
  /** One operation; in order, those of a chain. */
  readonly steps: readonly RequestStep[];
  /** The fields `metadata`, `webhook_url`, `output` and `keep`. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** An operation of a request. */
export interface RequestStep {
  readonly operation: CatalogueOperation;
  /** The parameters, and the URLs of file parts. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Paths of further files, by the names of their parts. */
  readonly files: Readonly<Record<string, string>>;
  /** The variables that may hold secret parameters, by parameter. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** The variable of the environment that a secret parameter is read from. */
export function secretVariable({ name }: Parameter): string {
  return `MEDIAMILL_PARAM_${name.toUpperCase()}`;
}

/**
 * An operation of a call. `given`: values by parameter, and the paths of files with secrets by
 * `<parameter>-file`. Throws `UsageError` if a required parameter is missing.
 */
export async function buildStep(
  operation: CatalogueOperation,
  parameters: readonly Parameter[],
  given: ReadonlyMap<string, unknown>,
): Promise<RequestStep> {
  const fields: Record<string, unknown> = {};
  const files: Record<string, string> = {};
  const secrets = new Map<string, string>();
  for (const parameter of parameters) {
    const { name, isFile, isSecret } = parameter;
    const value = isSecret ? readSecret(parameter, given) : given.get(name);
    if (isSecret) secrets.set(name, secretVariable(parameter));
    if (value === undefined) requireOptional(parameter);
    else if (!isFile) fields[name] = value;
    else if (isRemote(String(value))) fields[`${name}_url`] = value;
    else files[name] = await checkFile(parameter, String(value));
  }
  return { operation, fields, files, secrets };
}

function readSecret(parameter: Parameter, given: ReadonlyMap<string, unknown>): unknown {
  const value = given.get(parameter.name);
  const path = given.get(`${parameter.name}-file`);
  if (value !== undefined && path !== undefined) {
    throw new UsageError(`Give --${parameter.flag} or --${parameter.flag}-file, not both.`);
  }
  // Editors end files with a line break.
  if (typeof path === "string") return parseSecret(parameter, readFileSync(path, "utf8"));
  const variable = process.env[secretVariable(parameter)];
  return value ?? (variable === undefined ? undefined : parseSecret(parameter, variable));
}

const parseSecret = (parameter: Parameter, text: string) =>
  parseValue(parameter, text.replace(/\r?\n$/, ""));

function requireOptional(parameter: Parameter): void {
  if (!parameter.isRequired) return;
  const { flag, schema, isSecret } = parameter;
  const elsewhere = isSecret ? ` (or --${flag}-file, or ${secretVariable(parameter)})` : "";
  throw new UsageError(`--${flag}${elsewhere} is required. ${schema.description ?? ""}`.trim());
}

async function checkFile({ flag }: Parameter, path: string): Promise<string> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isFile()) return path;
  throw new UsageError(`--${flag}: ${path} ${stats ? "is not a file" : "does not exist"}.`);
}
