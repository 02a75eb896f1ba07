import { type FieldSchema, inputSchema } from "#lib/api/http/schema-messages.ts";
import type { ApiRequest } from "#lib/db/schema/dashboard/api-requests.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { type LoggedRequest, operationOf, operationsOf } from "./logged-call.ts";
import { readRejection } from "./rejected-field.ts";

/** The same request with the one change that its error message leads to for certain. */
export interface RequestFix<Request extends LoggedRequest = LoggedRequest> {
  readonly request: Request;
  /** The field that has the right name and value now; undefined if the path was wrong. */
  readonly field: string | undefined;
  /** The index of the operation in a chain that was corrected. */
  readonly step?: number;
  /** What was wrong and what replaces it, as text: `widht: 800` and `width: 800`. */
  readonly before: string;
  readonly after: string;
}

type RejectedRequest = LoggedRequest & Pick<ApiRequest, "error">;

/**
 * The fix of a rejected request: the suggested path, name or value if there is only one, the nearest allowed number, a
 * number or boolean that was sent as text, or one object for `metadata[key]`. Undefined where more than one change
 * could be meant.
 */
export function findFix<Request extends RejectedRequest>(
  request: Request,
): RequestFix<Request> | undefined {
  if (request.error === null) return undefined;
  const step = readStep(request);
  if (step || request.error.startsWith("Operation ")) return step && fixStep(request, step);
  const { field, names, values } = readRejection(request.error);
  if (field === undefined) {
    return names.length === 1 ? fixPath(request, names[0] ?? "") : undefined;
  }
  const place = placeOf(request, field);
  if (!place) return undefined;
  const given = place.values[field];
  const join = joinEntries(request.error, field, place.values);
  if (join) return change(request, place.name, join);
  const [meant] = names;
  if (names.length === 1 && meant !== undefined) {
    if (Object.hasOwn(place.values, meant)) return undefined;
    return change(request, place.name, { remove: [field], name: meant, value: given });
  }
  const value = values.length === 1 ? values[0] : nearestValue(request, field, given);
  return value === undefined
    ? undefined
    : change(request, place.name, { remove: [], name: field, value });
}

/** The step of a chain that a message is about, as a request of its own. */
interface RejectedStep {
  readonly index: number;
  /** Its parameters, or its type if that is wrong. */
  readonly name: "params" | "type";
  readonly request: RejectedRequest;
}

/** The step that "Operation 2, image/crop: `widht` is not a parameter." is about. */
function readStep({ method, path, params, error }: RejectedRequest): RejectedStep | undefined {
  const [, number, problem] = /^Operation (\d+)(?:, [^:]+)?: (.*)$/s.exec(error ?? "") ?? [];
  const index = Number(number) - 1;
  const step = operationsOf({ method, path, params })?.[index];
  if (!step || problem === undefined) return undefined;
  const isType = problem.startsWith("`type` has no such value.");
  const fields = isType ? { type: step.type } : step.params;
  const request = { method, path: `/v1/${step.type}`, params: { fields }, error: problem };
  return { index, name: isType ? "type" : "params", request };
}

/** The chain with the fix of one of its steps. */
function fixStep<Request extends RejectedRequest>(
  request: Request,
  { index, name, request: rejected }: RejectedStep,
): RequestFix<Request> | undefined {
  const fix = findFix(rejected);
  const steps = operationsOf(request);
  if (!fix || !steps) return undefined;
  const { fields = {} } = fix.request.params;
  const operations = steps.map((step, at) => {
    if (at !== index) return step;
    return name === "type" ? { ...step, ...fields } : { ...step, params: fields };
  });
  const place = name === "type" ? `operations[${index}]` : `operations[${index}].params`;
  const inPlace = (text: string) => text.replaceAll(/^/gm, `${place}.`);
  return {
    ...fix,
    step: index,
    request: {
      ...request,
      params: { ...request.params, fields: { ...request.params.fields, operations } },
    },
    before: inPlace(fix.before),
    after: inPlace(fix.after),
  };
}

/** Where a request has its fields: in the body or in the query. */
function placeOf({ params: { fields = {}, query = {} } }: LoggedRequest, field: string) {
  if (Object.hasOwn(fields, field)) return { name: "fields", values: fields } as const;
  if (Object.hasOwn(query, field)) return { name: "query", values: query } as const;
  return undefined;
}

interface FieldChange {
  readonly remove: readonly string[];
  readonly name: string;
  readonly value: unknown;
}

function change<Request extends LoggedRequest>(
  request: Request,
  place: "fields" | "query",
  { remove, name, value }: FieldChange,
): RequestFix<Request> {
  const given = request.params[place] ?? {};
  const wrong = remove.length > 0 ? remove : [name];
  const at = wrong[0] ?? name;
  // The new field takes the place of the wrong one.
  const entries = Object.entries(given).flatMap(([one, before]): [string, unknown][] => {
    if (one === at) return [[name, value]];
    return wrong.includes(one) ? [] : [[one, before]];
  });
  return {
    request: { ...request, params: { ...request.params, [place]: Object.fromEntries(entries) } },
    field: name,
    before: wrong.map((one) => showField(one, given[one])).join("\n"),
    after: showField(name, value),
  };
}

/** `metadata[order]=113` as the object that a body has. */
function joinEntries(
  message: string,
  field: string,
  given: Readonly<Record<string, unknown>>,
): FieldChange | undefined {
  const [, object = ""] = /Send `(\w+)` as one field with JSON\.$/.exec(message) ?? [];
  if (!object || !field.startsWith(`${object}[`) || Object.hasOwn(given, object)) return undefined;
  const entries = Object.entries(given).filter(([one]) => one.startsWith(`${object}[`));
  const value = entries.map(([one, text]) => [one.slice(object.length + 1, -1), String(text)]);
  return {
    remove: entries.map(([one]) => one),
    name: object,
    value: Object.fromEntries(value),
  };
}

/** The allowed value that is nearest to a number or boolean; undefined if another change may be meant. */
function nearestValue(request: LoggedRequest, field: string, given: unknown): unknown {
  const operation = operationOf(request);
  const schema = operation && inputSchema(operation.params).properties?.[field];
  if (!schema) return undefined;
  const value = schema.type === "boolean" ? toBoolean(given) : toNumber(schema, given);
  return value === given ? undefined : value;
}

const toBoolean = (given: unknown) =>
  ({ true: true, false: false })[typeof given === "string" ? given.trim().toLowerCase() : ""];

function toNumber({ type, minimum, maximum }: FieldSchema, given: unknown): number | undefined {
  if (type !== "number" && type !== "integer") return undefined;
  const isText = typeof given === "string" && /^\s*-?\d+(?:\.\d+)?\s*$/.test(given);
  const number = isText ? Number(given) : given;
  if (typeof number !== "number" || (type === "integer" && !Number.isInteger(number))) {
    return undefined;
  }
  return Math.min(Math.max(number, minimum ?? number), maximum ?? number);
}

function fixPath<Request extends LoggedRequest>(
  request: Request,
  suggested: string,
): RequestFix<Request> | undefined {
  const path = findOperation(suggested) ? `/v1/${suggested}` : suggested;
  // A path with placeholders is not a whole one.
  if (!path.startsWith("/v1/") || path.includes("{")) return undefined;
  return { request: { ...request, path }, field: undefined, before: request.path, after: path };
}

const showField = (name: string, value: unknown) =>
  `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`;
