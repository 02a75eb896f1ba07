import type { Operation } from "../define.ts";
import { operations } from "./generated.ts";

/** The catalogue: the single source of routes, validation, documents, forms and tests. */
export { operations };

const byId = new Map(operations.map((operation) => [operation.id as string, operation]));

/** The operation with this id, such as `image/sharpen`, if there is one. */
export function findOperation(id: string): Operation | undefined {
  return byId.get(id);
}
