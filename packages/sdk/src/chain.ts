import type { ChainableId, ChainParams, OperationId } from "./params.ts";
import type { FileInput } from "./types.ts";

/** An operation of a chain. */
export interface ChainStep {
  readonly type: OperationId;
  readonly params: Record<string, unknown>;
}

/** The name of a method: `resize` for `image/resize`; `pdfToText` for `document/pdf-to-text`. */
type CamelCase<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text;

type Name<Id extends OperationId> = Id extends `${string}/${infer Own}` ? CamelCase<Own> : never;

type MethodName = Name<ChainableId>;

/** The parameters of the operations with this name; several groups may have one. */
type ParamsOf<Method extends MethodName> = {
  [Id in ChainableId]: Name<Id> extends Method ? ChainParams<Id> : never;
}[ChainableId];

/** A method for each operation that a chain can have, and `then` for any by its id. */
export type Chain<Done> = {
  [Method in MethodName]: Record<string, never> extends ParamsOf<Method>
    ? (params?: ParamsOf<Method>) => Chain<Done>
    : (params: ParamsOf<Method>) => Chain<Done>;
} & {
  /** Adds an operation by its id. */
  add<Id extends ChainableId>(id: Id, params: ChainParams<Id>): Chain<Done>;
  readonly steps: readonly ChainStep[];
} & Done;

/**
 * Collects the operations of a chain: `resize({…}).convert({…})`. If several groups have an operation of
 * this name, the group is that of the operation before it, else the one that the name of the file
 * suggests. `add("video/resize", {…})` names it.
 */
export function createChain<Done extends object>(
  groups: Readonly<Record<string, readonly string[]>>,
  input: FileInput,
  done: (steps: readonly ChainStep[]) => Done,
  steps: readonly ChainStep[] = [],
): Chain<Done> {
  const add = (type: string, params: Record<string, unknown> = {}) =>
    createChain(groups, input, done, [...steps, { type: type as OperationId, params }]);
  const own = { ...done(steps), add, steps };
  return new Proxy(own, {
    get(target, property) {
      if (typeof property !== "string" || property in target) return Reflect.get(target, property);
      const name = property.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const candidates = groups[name];
      if (!candidates) return undefined;
      const likely = steps.at(-1)?.type.split("/")[0] ?? groupOf(input);
      const group = candidates.includes(likely) ? likely : candidates[0];
      return (params?: Record<string, unknown>) => add(`${group}/${name}`, params);
    },
  }) as unknown as Chain<Done>;
}

const extensions: Record<string, RegExp> = {
  video: /\.(?:mp4|mov|mkv|webm|avi|mpe?g|m?ts|flv|wmv|3gp|ogv|mxf|m4v)$/i,
  audio: /\.(?:mp3|aac|m4a|ogg|opus|flac|wav|aiff?|caf|amr|ac3|wma|wv)$/i,
  document: /\.(?:pdf|html?|docx?|xlsx?|pptx?|od[tsp]|rtf|txt|csv|md|epub|eml|msg)$/i,
};

/** The group of operations for a file, by its name or type. */
function groupOf(input: FileInput): string {
  const { name, type, filename } = input as { name?: string; type?: string; filename?: string };
  const path =
    typeof input === "string" || input instanceof URL ? String(input) : (name ?? filename);
  const byName = Object.keys(extensions).find((group) =>
    extensions[group]?.test((path ?? "").replace(/[?#].*/, "")),
  );
  return byName ?? type?.split("/")[0] ?? "image";
}
