import { extname } from "node:path";
import { type MediaTypeId, mediaType, mediaTypeOfExtension } from "#lib/media/types.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";

/** An operation with `variables` needs a server that the tests do not have. */
const available = operations.filter(({ variables = [] }) => variables.length === 0);

/**
 * One operation for each way that its pages can look: by the number of its inputs, their kind, the kind
 * of its output, and whether it has further files. Pages of the others have the same components.
 */
export const typicalOperations: readonly Operation[] = [
  ...new Map(available.toReversed().map((operation) => [appearanceOf(operation), operation])),
].map(([, operation]) => operation);

function appearanceOf({ inputs, sample, files = {}, produces, params }: Operation): string {
  const [name] = sample.inputs;
  const type = name === undefined ? "unknown" : mediaTypeOfExtension(extname(name).slice(1)).id;
  const output = produces(type, params.parse(sample.params));
  const count = Math.min(inputs.max, 2);
  return [count, showsAs(type), showsAs(output), Object.keys(files).length].join();
}

/** JSON and other files that are neither media nor documents look different from each other. */
function showsAs(type: MediaTypeId): string {
  const { kind } = mediaType(type);
  return kind === "other" ? type : kind;
}
