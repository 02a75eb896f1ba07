import fc from "fast-check";
import { closedUrls, oddText, oddValue, validFor } from "./arbitraries.ts";
import type { Endpoint, JsonSchema, Parameter } from "./openapi.ts";

/** A request to an endpoint, for `fetch`. */
export interface Call {
  readonly endpoint: Endpoint;
  /** The path and query of the request. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  /** The body before it became text, where it is JSON. */
  readonly json?: unknown;
}

/** Values that exist, so that not every request gets 404 or 403. */
export interface KnownValues {
  /** Values of path parameters, by name. */
  readonly values: Readonly<Record<string, readonly string[]>>;
  /** Whole targets, by path: signed URLs. */
  readonly targets: Readonly<Record<string, readonly string[]>>;
  readonly keys: readonly string[];
}

/** Requests to the endpoint whose parts are valid or invalid. */
export function arbitraryCall(endpoint: Endpoint, known: KnownValues): fc.Arbitrary<Call> {
  return fc
    .record({
      target: arbitraryTarget(endpoint, known),
      headers: arbitraryHeaders(endpoint, known),
    })
    .chain(({ target, headers }) =>
      arbitraryBody(endpoint).map(({ type, ...body }) => ({
        endpoint,
        target,
        headers: type === undefined ? headers : { ...headers, "content-type": type },
        ...body,
        [fc.toStringMethod]: () => show(endpoint, target, headers, body),
      })),
    );
}

/** A request as a failure prints it, without the endpoint's documentation. */
function show({ method }: Endpoint, target: string, headers: object, { body }: Body): string {
  const sent = body instanceof FormData ? [...body.entries()] : body;
  return `${method} ${target} ${fc.stringify(headers)} ${fc.stringify(sent)}`;
}

function arbitraryTarget({ path, parameters }: Endpoint, known: KnownValues): fc.Arbitrary<string> {
  const placeholders = parameters.filter((one) => one.in === "path");
  const queries = parameters.filter((one) => one.in === "query");
  const filled = fc
    .tuple(fc.tuple(...placeholders.map((one) => pathValue(one, known))), arbitraryQuery(queries))
    .map(([values, query]) => {
      const named = Object.fromEntries(
        placeholders.map(({ name }, index) => [name, values[index] ?? ""]),
      );
      const full = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(named[name] ?? ""),
      );
      return query ? `${full}?${query}` : full;
    });
  const whole = known.targets[path];
  return whole ? fc.oneof(fc.constantFrom(...whole), filled) : filled;
}

function pathValue({ name, schema }: Parameter, known: KnownValues): fc.Arbitrary<string> {
  const existing = known.values[name] ?? ["0"];
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.constantFrom(...existing) },
      { weight: 1, arbitrary: validFor(schema).map(String) },
      { weight: 1, arbitrary: oddText },
    )
    .map((text) => text.toWellFormed())
    .filter((text) => !/^\.{0,2}$/.test(text));
}

function arbitraryQuery(parameters: readonly Parameter[]): fc.Arbitrary<string> {
  const pairs = parameters.map(({ name, schema }) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 4, arbitrary: validFor(schema).map((value) => queryPairs(name, value)) },
      { weight: 1, arbitrary: oddText.map((value) => [[name, value]]) },
      { weight: 1, arbitrary: oddText.map((key) => [[`${name}[${key}]`, "a"]]) },
    ),
  );
  const unknownParameter = fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.tuple(oddText, oddText).map((pair) => [pair]) },
  );
  return fc
    .tuple(...pairs, unknownParameter)
    .map((all) => new URLSearchParams(all.flatMap((some) => some ?? [])).toString());
}

/** A value in a query; an object as `name[key]=value`, OpenAPI's style `deepObject`. */
function queryPairs(name: string, value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [[name, String(value)]];
  return Object.entries(value).map(([key, one]) => [`${name}[${key}]`, String(one)]);
}

/** Header values are visible characters of Latin-1. */
const headerText = fc.stringMatching(/^[\x21-\x7e\xa1-\xff]{1,300}$/);

function arbitraryHeaders(
  endpoint: Endpoint,
  known: KnownValues,
): fc.Arbitrary<Record<string, string>> {
  const own = endpoint.parameters
    .filter((one) => one.in === "header")
    .map(({ name, schema }) => {
      const allowed = schema.pattern ? validFor(schema).map(String) : headerText;
      const given = fc.oneof(
        { weight: 3, arbitrary: allowed },
        {
          weight: 1,
          arbitrary: fc.oneof(headerText, fc.constantFrom("bytes=0-", "bytes=-1", "*")),
        },
      );
      return [name, given] as const;
    });
  const [main = "", ...others] = known.keys;
  const key = fc.oneof(
    { weight: 12, arbitrary: fc.constant({ "x-api-key": main }) },
    { weight: 2, arbitrary: fc.constant({ authorization: `Bearer ${main}` }) },
    { weight: 2, arbitrary: fc.constantFrom(...others).map((one) => ({ "x-api-key": one })) },
    { weight: 1, arbitrary: headerText.map((text) => ({ "x-api-key": text })) },
    { weight: 1, arbitrary: fc.constant({}) },
  );
  return fc
    .tuple(fc.record(Object.fromEntries(own), { requiredKeys: [] }), key)
    .map(([given, owner]) => ({ ...given, ...owner }));
}

interface Body {
  readonly type?: string;
  readonly body?: string | FormData;
  readonly json?: unknown;
}

function arbitraryBody({ method, requestBody }: Endpoint): fc.Arbitrary<Body> {
  if (method === "get" || method === "head") return fc.constant({});
  const mismatches = fc.tuple(
    fc.constantFrom(
      "application/json",
      "text/plain",
      "multipart/form-data",
      "multipart/form-data; boundary=x",
    ),
    oddText,
  );
  const mismatched = mismatches.map(([type, body]) => ({ type, body }));
  const nothing: fc.Arbitrary<Body> = fc.constant({});
  const bytes = fc.string({ maxLength: 8 }).map((body) => ({ body }));
  const { "application/json": json, "multipart/form-data": form } = requestBody?.content ?? {};
  if (!json) return fc.oneof(nothing, bytes, mismatched);
  const valid = fc.oneof(validFor(json.schema), fc.constant(withClosedUrls(json.example ?? {})));
  const kinds: fc.WeightedArbitrary<Body>[] = [
    { weight: 6, arbitrary: mutate(valid, json.schema).map(jsonBody) },
    { weight: 1, arbitrary: oddValue.map(jsonBody) },
    { weight: 1, arbitrary: mismatched },
    { weight: 1, arbitrary: nothing },
  ];
  if (form) kinds.push({ weight: 3, arbitrary: mutate(valid, form.schema).chain(formBody) });
  return fc.oneof(...kinds);
}

/** A URL of a webhook that is accepted, and whose host has no address. */
export const unknownReceiver = "http://receiver.invalid/";

/** The example with URLs at which no server listens. */
export function withClosedUrls(
  example: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const isUrl = (value: unknown) => typeof value === "string" && /^https?:/.test(value);
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => {
      const closed = /^(webhook_)?url$/.test(name) ? unknownReceiver : closedUrls[0];
      // An origin is not a URL to which requests are sent.
      return [name, isUrl(value) && name !== "origin" ? closed : value];
    }),
  );
}

/** A valid object, unchanged or with one field removed, added or replaced. */
function mutate(valid: fc.Arbitrary<unknown>, schema: JsonSchema): fc.Arbitrary<object> {
  const names = Object.keys(schema.properties ?? {});
  const name = fc.oneof(fc.constantFrom(...names), oddText);
  const change = fc.oneof(
    { weight: 2, arbitrary: fc.constant({}) },
    { weight: 4, arbitrary: fc.tuple(name, oddValue).map(([key, value]) => ({ [key]: value })) },
    { weight: 1, arbitrary: name.map((key) => ({ [key]: undefined })) },
  );
  return fc.tuple(valid, change).map(([value, more]) => ({ ...Object(value), ...more }));
}

function jsonBody(json: unknown): Body {
  return { type: "application/json", body: JSON.stringify(json), json };
}

/** The fields as a form. Only file-inspect accepts the file's type, so that no engine is busy. */
function formBody(fields: object): fc.Arbitrary<Body> {
  return fc.constantFrom("file", "watermark", "nothing").map((part) => {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      if (value === undefined || (name === "input" && part === "file")) continue;
      form.append(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    const bytes = new Uint8Array([0, 1, 2, 255, 254, 0]);
    if (part !== "nothing") form.append(part, new File([bytes], `odd\u202e "${part}".bin`));
    return { body: form };
  });
}
