import { z } from "zod";
import { importedType, rawModes } from "#lib/engines/import/types.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import type { Operation, OperationDefinition } from "./definition.ts";

export type {
  InputFile,
  OperationContext,
  OperationFiles,
  OperationResult,
  OutputFile,
} from "#lib/engines/worker/operation.ts";
export { acceptsType } from "./accepts.ts";
export {
  type FilePart,
  type Operation,
  type OperationDefinition,
  type OperationGroup,
  operationGroups,
  reservedFields,
} from "./definition.ts";

/** A parameter of all operations that take images. */
export const rawMode = z
  .enum(rawModes)
  .optional()
  .describe(
    "How a camera RAW file is read: preview (the picture that the camera has embedded) or develop (from the data of the sensor). The default is preview.",
  );

/**
 * Makes a definition a catalogue entry. A test and runners in development check it with `findFault`: here
 * the check would take a sixth of the time in which every process loads the catalogue.
 */
export function defineOperation<
  Shape extends z.ZodRawShape,
  Result extends z.ZodType = z.ZodUndefined,
>(definition: OperationDefinition<Shape, Result>): Operation {
  const { id, example } = definition;
  const [group] = id.split("/");
  const { accepts, keepsInput, params, produces } = definition;
  const imports = !keepsInput && accepts.includes("raw");
  const converted = {
    params: imports ? (params as z.ZodObject).safeExtend({ raw: rawMode }) : params,
    produces: (type: MediaTypeId, given: z.output<typeof params>) =>
      produces(keepsInput ? type : importedType(type), given),
  };
  const { input, inputs = input === undefined ? [] : [input], ...shown } = definition.sample;
  const sample = { params: example, files: {}, inputs, ...shown };
  // Entries of many shapes are in one catalogue; `run` gets what `params` has parsed.
  return {
    inputs: { min: 1, max: 1 },
    ...definition,
    ...converted,
    group,
    sample,
  } as unknown as Operation;
}
