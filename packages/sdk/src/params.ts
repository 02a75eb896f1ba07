import type { Operations } from "./generated.ts";
import type { FileInput } from "./types.ts";

export type OperationId = keyof Operations;

/** The operations that take exactly one file, which a chain can have. */
export type ChainableId = {
  [Id in OperationId]: Operations[Id]["inputs"] extends "one" ? Id : never;
}[OperationId];

interface CommonParams {
  /** Gets a signed webhook when the job has ended. */
  webhook_url?: string;
  /** Up to 16 texts that the job returns. */
  metadata?: Record<string, string>;
  /** Where the outputs are sent. They are not kept by the service, unless `keep` is true. */
  output?: OutputTarget;
  /** Whether outputs that are sent to `output` are kept by the service as well. */
  keep?: boolean;
}

/** Presigned URLs that take the outputs of a job by `PUT`, `urls` for several in order, or a connection. */
export type OutputTarget =
  | ({ headers?: Record<string, string>; connection?: never } & (
      | { url: string; urls?: never }
      | { urls: readonly string[]; url?: never }
    ))
  | {
      connection: string;
      /** Below the connection's prefix, with placeholders such as `{date}/{filename}`. */
      path?: string;
      /** Whether a file with this path is replaced. */
      overwrite?: boolean;
      url?: never;
      urls?: never;
      headers?: never;
    };

type Inputs<Kind> = Kind extends "none"
  ? unknown
  : Kind extends "one"
    ? { input: FileInput }
    : { inputs: readonly FileInput[] };

/** A further file: its content, or its URL as `<part>_url`. */
type Part<Name extends string> =
  | ({ [Key in Name]: FileInput } & { [Key in `${Name}_url`]?: never })
  | ({ [Key in `${Name}_url`]: string } & { [Key in Name]?: never });

type OptionalPart<Name extends string> = { [Key in Name]?: FileInput } & {
  [Key in `${Name}_url`]?: string;
};

type Parts<Files> = Files extends { readonly [Name in keyof Files]: "required" | "optional" }
  ? UnionToIntersection<
      {
        // In a property, because the members of a bare union would be intersected too.
        [Name in keyof Files & string]: {
          part: Files[Name] extends "required" ? Part<Name> : OptionalPart<Name>;
        };
      }[keyof Files & string]
    > extends { part: infer All }
    ? All
    : unknown
  : unknown;

type UnionToIntersection<Union> = [Union] extends [never]
  ? unknown
  : (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
    ? All
    : never;

/** What `run` takes for an operation: its file or files, and its parameters by the names of the API. */
export type RunParams<Id extends OperationId> = Operations[Id]["params"] &
  Inputs<Operations[Id]["inputs"]> &
  Parts<Operations[Id]["files"]> &
  CommonParams;

/** The parameters of an operation in a chain. Its further files are URLs. */
export type ChainParams<Id extends OperationId> = Operations[Id]["params"] & {
  [Name in keyof Operations[Id]["files"] & string as `${Name}_url`]?: string;
};

/** The `result` of an operation's job that is completed; null if the operation returns files only. */
export type ResultOf<Id extends OperationId> = Operations[Id]["result"];
