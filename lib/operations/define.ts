import { z } from "zod";
import type { EngineName } from "#lib/engines/sandbox/errors.ts";
import type { OperationContext, OperationResult } from "#lib/engines/worker/operation.ts";
import type { MediaTypeId } from "#lib/media/types.ts";

export type {
  InputFile,
  OperationContext,
  OperationResult,
  OutputFile,
} from "#lib/engines/worker/operation.ts";

export const operationGroups = ["document", "image", "video", "audio", "pipeline"] as const;
export type OperationGroup = (typeof operationGroups)[number];

/**
 * A further file of an operation: the parameter `<part>_url`, or in multipart a file part named
 * `<part>`; exactly one of them.
 */
export interface FilePart {
  readonly accepts: readonly MediaTypeId[];
  readonly required: boolean;
  readonly description: string;
}

export interface OperationDefinition<Shape extends z.ZodRawShape = z.ZodRawShape> {
  /** The path under `/v1`, such as `image/sharpen`. */
  readonly id: `${OperationGroup}/${string}`;
  /** One sentence that says what it does. */
  readonly summary: string;
  /** Types of the input, told by its content. */
  readonly accepts: readonly MediaTypeId[];
  /** Strict: an unknown parameter is an error. Without the `<part>_url` of `files`. */
  readonly params: z.ZodObject<Shape, z.core.$strict>;
  readonly files?: Readonly<Record<string, FilePart>>;
  /** Parameters that run on a sample of the first accepted type; shown in the docs. */
  readonly example: z.input<z.ZodObject<Shape, z.core.$strict>>;
  /** The type of its (first) output, by the input's; for chains, which are checked before they start. */
  readonly produces: (
    type: MediaTypeId,
    params: z.output<z.ZodObject<Shape, z.core.$strict>>,
  ) => MediaTypeId;
  /** Where `run` is executed: `image` in a sandboxed image worker, `runner` in the runner, which starts engines. */
  readonly engine: "image" | "runner";
  /** Engines without which it cannot run; a request is answered with 503 where one is missing. */
  readonly requires: readonly EngineName[];
  readonly run: (
    context: OperationContext<z.output<z.ZodObject<Shape, z.core.$strict>>>,
  ) => Promise<OperationResult>;
}

/** A catalogue entry whose parameters' type is no longer known. */
export interface Operation
  extends Omit<OperationDefinition, "run" | "params" | "example" | "produces"> {
  readonly group: OperationGroup;
  readonly params: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  readonly example: Record<string, unknown>;
  readonly produces: (type: MediaTypeId, params: Record<string, unknown>) => MediaTypeId;
  readonly run: (context: OperationContext<Record<string, unknown>>) => Promise<OperationResult>;
}

const idPattern = new RegExp(`^(${operationGroups.join("|")})/[a-z][a-z0-9-]*$`);

/**
 * Checks an operation and makes it a catalogue entry. A bad one throws here, when the catalogue is
 * loaded, and not in a user's hands.
 */
export function defineOperation<Shape extends z.ZodRawShape>(
  definition: OperationDefinition<Shape>,
): Operation {
  const { id, accepts, params, example, files = {} } = definition;
  const fail = (why: string) => new Error(`operation ${id}: ${why}`);
  const group = idPattern.exec(id)?.[1];
  if (!group) throw fail("the id is not group/name in kebab-case");
  if (accepts.length === 0) throw fail("accepts nothing");
  const parsed = params.safeParse(example);
  if (!parsed.success) throw fail(`the example does not parse: ${z.prettifyError(parsed.error)}`);
  for (const [name, field] of Object.entries(params.shape)) {
    if (reservedFields.has(name)) throw fail(`${name} is a field of every request`);
    if (`${name}` in files || (name.endsWith("_url") && name.slice(0, -4) in files)) {
      throw fail(`${name} is taken by a file part`);
    }
    if (!z.globalRegistry.get(field as z.ZodType)?.description) {
      throw fail(`${name} has no description`);
    }
  }
  // The catalogue holds entries of many shapes; `params` has parsed what `run` is given.
  return { ...definition, group } as unknown as Operation;
}

/** Field names that the request itself uses, so that no operation may. */
export const reservedFields: ReadonlySet<string> = new Set([
  "input",
  "inputs",
  "file",
  "webhook_url",
  "metadata",
]);
