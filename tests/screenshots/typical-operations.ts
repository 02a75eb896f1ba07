import { extname } from "node:path";
import { type MediaTypeId, mediaType, mediaTypeOfExtension } from "#lib/media/types.ts";
import { operations } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";

/** An operation with `variables` needs a server that the tests do not have. */
const available = operations.filter(({ variables = [] }) => variables.length === 0);

/**
 * Operations that together have each number of inputs, kind of input, kind of output and number of further
 * files, which decide how their pages look. Pages of the others have the same components.
 */
export const typicalOperations: readonly Operation[] = coverFeatures(available);

/** Takes the operation with the most features that none before it has, until there are no more. */
function coverFeatures(all: readonly Operation[]): Operation[] {
  const missing = new Set(all.flatMap(featuresOf));
  const gain = (operation: Operation) =>
    featuresOf(operation).filter((feature) => missing.has(feature)).length;
  const chosen: Operation[] = [];
  while (missing.size > 0) {
    const [next] = all.toSorted((a, b) => gain(b) - gain(a));
    if (!next) break;
    chosen.push(next);
    for (const feature of featuresOf(next)) missing.delete(feature);
  }
  return chosen;
}

function featuresOf({ inputs, sample, files = {}, produces, params }: Operation): string[] {
  const [name] = sample.inputs;
  const type = name === undefined ? "unknown" : mediaTypeOfExtension(extname(name).slice(1)).id;
  const output = produces(type, params.parse(sample.params));
  return [
    `${Math.min(inputs.max, 2)} inputs`,
    `from ${showsAs(type)}`,
    `to ${showsAs(output)}`,
    `${Object.keys(files).length} files`,
  ];
}

/** JSON and other files that are neither media nor documents look different from each other. */
function showsAs(type: MediaTypeId): string {
  const { kind } = mediaType(type);
  return kind === "other" ? type : kind;
}
