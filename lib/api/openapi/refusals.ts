import {
  errorCodeHeader,
  type HeaderName,
  headers,
  openHeaderNames,
  rateHeaderNames,
  withHeaders,
} from "./headers.ts";

/** Every way in which a request is refused, by its status: what is said of it, and its headers. */
const table = {
  400: ["The request, a parameter or the file is not valid; the sentence names what is allowed."],
  401: ["There is no valid key.", "WWW-Authenticate"],
  403: ["The address's signature is not valid, or has expired.", ...openHeaderNames],
  404: ["There is no such thing, or it is another account's."],
  408: ["The request's headers took too long to arrive."],
  409: ["The state of things does not allow it; try again where Retry-After says when."],
  410: ["The file is past its retention or was deleted."],
  413: ["The file is larger than the plan allows, or the JSON body larger than 1 MiB."],
  415: ["The body's Content-Type is not one of those that are taken."],
  422: ["This Idempotency-Key was used with another request."],
  429: ["The plan's requests a minute or its monthly bytes are used up.", "Retry-After"],
  431: ["The request's headers are larger than 16 KiB."],
  500: ["Something went wrong on our side."],
  503: ["Something that the request needs is away for now.", "Retry-After"],
} as const satisfies Record<number, readonly [string, ...HeaderName[]]>;

export type RefusalStatus = keyof typeof table;

/** The refusals as components, by name; several paths refer to each. */
export const refusalResponses = Object.fromEntries(
  Object.entries(table).map(([status, [description, ...names]]) => [
    refusalName(status),
    {
      description,
      headers: {
        ...withHeaders(...names, ...rateHeaderNames),
        "X-Error-Code": errorCodeHeader(Number(status)),
        ...(status === "409"
          ? { "Retry-After": { ...headers["Retry-After"], required: false } }
          : {}),
      },
      content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
    },
  ]),
);

/** What any request may be answered, before anybody looks what it asks for, or when we fail. */
const anywhere = [400, 408, 431, 500] as const satisfies RefusalStatus[];

/** References to the refusals with these statuses and to those that any request may meet. */
export function refusals(...statuses: RefusalStatus[]): Record<string, object> {
  const sorted = [...new Set([...statuses, ...anywhere])].sort((one, other) => one - other);
  return Object.fromEntries(
    sorted.map((status) => [status, { $ref: `#/components/responses/${refusalName(status)}` }]),
  );
}

function refusalName(status: number | string): string {
  return `Refusal${status}`;
}
