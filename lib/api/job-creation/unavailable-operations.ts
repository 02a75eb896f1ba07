import { isDatabaseUnavailable } from "#lib/db/errors.ts";
import { RequestError } from "#lib/errors.ts";
import { log } from "#lib/log.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";
import { findUnsetVariable, requireEngines } from "./require-engines.ts";

/** An operation that this installation cannot run as it is set up now: each request gets 503. */
export interface UnavailableOperation {
  readonly id: string;
  /** The message of the response. */
  readonly message: string;
  /** The environment variable that the operator must set; null if an engine or the sandbox is missing. */
  readonly variable: string | null;
}

/**
 * The operations that no request can run now, in the order of the catalogue. Without the database only those whose
 * variable is not set, because the engines of the runners are not known.
 */
export async function listUnavailableOperations(): Promise<UnavailableOperation[]> {
  const found: UnavailableOperation[] = [];
  let isKnown = true;
  for (const operation of operations) {
    const variable = findUnsetVariable(operation) ?? null;
    if (variable === null && !isKnown) continue;
    try {
      await requireEngines(operation);
    } catch (error) {
      if (error instanceof RequestError) {
        found.push({ id: operation.id, message: error.message, variable });
      } else if (isDatabaseUnavailable(error)) {
        log.debug({ err: error }, "engines of the runners not read");
        isKnown = false;
      } else throw error;
    }
  }
  return found;
}

/** Why no request can run the operation now; undefined if requests can. */
export async function findUnavailable({
  id,
}: Pick<Operation, "id">): Promise<UnavailableOperation | undefined> {
  return (await listUnavailableOperations()).find((one) => one.id === id);
}
