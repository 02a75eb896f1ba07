import type { z } from "zod";
import type { RequestFile } from "#lib/db/schema/dashboard/api-requests.ts";
import type { RequestErrorCode } from "#lib/errors.ts";
import type { OperationGroup } from "#lib/operations/define.ts";
import type { Access, AccessKind, CallerByAccess, KeyCaller } from "./access.ts";
import type { RequestHeaderName } from "./request-headers.ts";
import type { ResponseHeaderName } from "./response-headers.ts";

export const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof methods)[number];

/** The sections of the API reference: one for each group of operations, and four more. */
export const endpointTags = [
  "Document",
  "Image",
  "Video",
  "Audio",
  "Pipeline",
  "Jobs",
  "Connections",
  "Webhooks",
  "Account",
] as const satisfies (
  | Capitalize<OperationGroup>
  | "Jobs"
  | "Connections"
  | "Webhooks"
  | "Account"
)[];
export type EndpointTag = (typeof endpointTags)[number];

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A body that is one JSON object. The route wrapper reads and validates it. */
export interface JsonBody<Schema extends z.ZodObject = z.ZodObject> {
  readonly kind: "json";
  readonly schema: Schema;
  /** A body that `schema` accepts. */
  readonly example: z.input<Schema>;
}

/** Whether a request must have the body: a POST need not if all fields may be missing. A PATCH without one is a mistake. */
export function isBodyRequired(method: string, { schema }: JsonBody): boolean {
  return method !== "POST" || !schema.safeParse({}).success;
}

/** A body that the handler reads from the request, described by media type. */
export interface StreamBody {
  readonly kind: "stream";
  readonly description?: string;
  readonly content: Readonly<
    Record<string, { readonly schema: JsonSchema; readonly example?: JsonSchema }>
  >;
}

export interface ResponseDefinition {
  readonly description: string;
  /** The schema of a JSON body. */
  readonly body?: z.ZodType;
  /** Bodies that no Zod schema describes, by media type. */
  readonly content?: Readonly<Record<string, JsonSchema>>;
  /** Headers in addition to those of every response. */
  readonly headers?: readonly ResponseHeaderName[];
  /** The body is an error, and the error code is in the header `X-Error-Code`. */
  readonly isError?: boolean;
}

/** The responses of an endpoint by status. */
export type ResponseTable = Readonly<Record<number, ResponseDefinition>>;

/** What the OpenAPI document shows of one path and method. */
export interface EndpointDocument {
  /** Placeholders in braces; `{path+}` matches the rest of the path. */
  readonly path: string;
  /** The id of the operation, unique and in camel case. */
  readonly operationId: string;
  readonly tag: EndpointTag;
  /** The summary in one sentence. */
  readonly summary: string;
  readonly description?: string;
  readonly body?: JsonBody | StreamBody;
  readonly responses: ResponseTable;
}

interface EndpointBase {
  readonly method: Method;
  readonly headers?: readonly RequestHeaderName[];
  /** Counts as a job-creating request. It is rejected before the body is read if the minute is full. */
  readonly createsWork?: boolean;
  /**
   * The error codes that the handler throws. Those of access, parameters and a JSON body are added.
   */
  readonly errors?: readonly RequestErrorCode[];
  /** The document shows HEAD too. Every GET endpoint answers it. */
  readonly documentsHead?: boolean;
  /** Whether pages of any origin may read its responses, also those to callers without access. */
  readonly anyOrigin?: boolean;
  /** Whether a POST that names this method in `X-HTTP-Method-Override` is for the endpoint. */
  readonly takesMethodOverride?: boolean;
  /**
   * Whether the OpenAPI document omits the endpoint, because only the dashboard or the operator
   * uses it.
   */
  readonly internal?: boolean;
  /** The document shows these paths instead of the endpoint's own. */
  readonly variants?: readonly EndpointDocument[];
}

/** What every handler knows of the request. */
export interface RequestContext {
  readonly request: Request;
  readonly requestId: string;
  readonly url: URL;
  readonly record: RequestRecord;
}

/** What the log of requests shows, set while the request is handled. */
export interface RequestRecord {
  /** The holder of the request's key. A request without one is not logged. */
  caller?: KeyCaller;
  /** The public message of the error response. */
  error?: string;
  /** The body as it was parsed, even if it is not valid. */
  body?: RecordedBody;
}

/** Fields of a body and the files of a form, as far as they had arrived. */
export interface RecordedBody {
  readonly encoding: "json" | "multipart";
  readonly fields: Readonly<Record<string, unknown>>;
  readonly files?: readonly RequestFile[];
}

export type HandlerContext<
  Kind extends AccessKind,
  Params = unknown,
  Query = unknown,
  Body = unknown,
> = RequestContext &
  CallerByAccess[Kind] & { readonly params: Params; readonly query: Query; readonly body: Body };

/** A JSON body that one of the responses describes; the route wrapper sends it with the first status. */
type ResultOf<Responses extends ResponseTable> = {
  [Status in keyof Responses]: Responses[Status] extends { readonly body: infer Schema }
    ? z.input<Extract<Schema, z.ZodType>>
    : undefined;
}[keyof Responses];

export type EndpointDefinition<
  Kind extends AccessKind,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodObject,
  Responses extends ResponseTable,
> = EndpointBase &
  Omit<EndpointDocument, "body" | "responses"> &
  Extract<Access, { readonly access: Kind }> & {
    readonly access: Kind;
    /** One text for each placeholder of the path. A value that does not parse is a 404. */
    readonly params?: Params;
    readonly query?: Query;
    readonly body?: JsonBody<Body> | StreamBody;
    readonly responses: Responses;
    readonly handler: (
      context: HandlerContext<Kind, z.output<Params>, z.output<Query>, z.output<Body>>,
    ) => Promise<Response | ResultOf<Responses>>;
  };

/** A definition whose types are no longer known. */
export type Endpoint = EndpointBase &
  EndpointDocument &
  Access & {
    readonly params?: z.ZodObject;
    readonly query?: z.ZodObject;
    /** Takes the validated parameters. Resolves to a response, or to the body of the first response. */
    readonly handler: (context: HandlerContext<AccessKind>) => Promise<unknown>;
  };

/** The placeholders of a path, in order: `{path+}` is `path`. */
export function placeholdersOf(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\+?\}/g)].map(([, name = ""]) => name);
}
