import { quote } from "#components/code/snippets/shell.ts";
import { type SnippetFile, type SnippetRequest, snippetInputs } from "#components/code/snippets.ts";
import type { FormOperation, FormValues } from "#components/playground/form/form-field.ts";
import type { InitialFile } from "#components/playground/form/form-start.ts";
import { valuesOfParams } from "#components/playground/form/values.ts";
import { readOptions } from "#components/playground/options/read-options.ts";
import { chainRequest } from "#lib/api/job-creation/chain-request.ts";
import { isComplete } from "#lib/api/request-log/request-params.ts";
import type { ApiRequest } from "#lib/db/schema/dashboard/api-requests.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import type { Operation } from "#lib/operations/define.ts";

/** What a request sent. */
export type LoggedRequest = Pick<ApiRequest, "method" | "path" | "params">;

/** The operation that a request ran or tried to run; undefined for any other request. */
export function operationOf({ method, path }: LoggedRequest): Operation | undefined {
  return method === "POST" ? findOperation(path.replace(/^\/v1\//, "")) : undefined;
}

/** An operation of a chain, as a request named it: it may not exist. */
interface LoggedStep {
  readonly type: string;
  readonly params: Record<string, unknown>;
}

/** The operations of a request for a chain; undefined for any other request, and if they are no list of operations. */
export function operationsOf({ method, path, params }: LoggedRequest): LoggedStep[] | undefined {
  if (method !== "POST" || path !== "/v1/jobs") return undefined;
  return chainRequest.shape.operations.safeParse(params.fields?.operations).data;
}

/** Whether the playground can open a request: all its operations exist. */
export function opensInPlayground(request: LoggedRequest): boolean {
  const steps = operationsOf(request);
  return steps
    ? steps.every(({ type }) => findOperation(type))
    : operationOf(request) !== undefined;
}

/** The fields of a request that are its parameters: without its inputs. */
function paramsOf({ params: { fields = {} } }: LoggedRequest): Record<string, unknown> {
  const { input: _input, inputs: _inputs, ...rest } = fields;
  return rest;
}

/** A URL without values in its query, which were not kept. */
function isFetchable(value: unknown): value is string {
  return typeof value === "string" && isComplete(value) && !/^https?:.*\?/is.test(value);
}

/** The files of a request by the names of their parts, in order. A URL is null if its query was not kept. */
function filesOf({ params }: LoggedRequest, operation: Operation) {
  const { fields = {}, files = [] } = params;
  const given = [fields.inputs ?? fields.input ?? []].flat();
  const urls = [
    ...given.map((url) => ({ part: "file", url })),
    ...Object.keys(operation.files ?? {}).map((part) => ({ part, url: fields[`${part}_url`] })),
  ];
  return [
    ...urls
      .filter(({ url }) => typeof url === "string")
      .map(({ part, url }) => ({ part, name: String(url), url: isFetchable(url) ? url : null })),
    ...files.map(({ field, filename }) => ({ part: field, name: filename, url: null })),
  ];
}

/** What the playground starts with: the request's values, and its files that can be fetched again. */
export function startFromRequest(
  request: LoggedRequest & Pick<ApiRequest, "error" | "errorCode">,
  form: FormOperation,
) {
  const operation = operationOf(request);
  const given = completeOnes(paramsOf(request));
  const values = valuesOfParams(form, given);
  const withDefaults: FormValues = Object.fromEntries(
    form.fields.map(({ name, initial }) => [name, values[name] || (initial ?? "")]),
  );
  const files: InitialFile[] = operation
    ? filesOf(request, operation).map(({ part, name, url }) => ({
        part,
        name,
        url: null,
        sourceUrl: url,
      }))
    : [];
  return { operation: form.id, values: withDefaults, files, ...startOptions(request) };
}

/** The same for a chain of these steps: what the form has besides them, and the file that can be fetched again. */
export function startFromChain(request: LoggedRequest & Pick<ApiRequest, "error" | "errorCode">) {
  const { input } = request.params.fields ?? {};
  const uploaded = request.params.files?.find(({ field }) => field === "file");
  const name = typeof input === "string" ? input : uploaded?.filename;
  const sourceUrl = isFetchable(input) ? input : null;
  const files: InitialFile[] =
    name === undefined ? [] : [{ part: "file", name, url: null, sourceUrl }];
  return { files, ...startOptions(request) };
}

/** The steps of a chain without values that were not kept. */
export function completeSteps(steps: readonly LoggedStep[]): LoggedStep[] {
  return steps.map(({ type, params }) => ({ type, params: completeOnes(params) }));
}

function completeOnes(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => isComplete(value)));
}

/** The options of the job, and why the request was rejected. */
function startOptions(request: LoggedRequest & Pick<ApiRequest, "error" | "errorCode">) {
  const { error, errorCode } = request;
  const { webhook_url: url, ...others } = completeOnes(paramsOf(request));
  return {
    options: readOptions({ ...others, ...(isFetchable(url) && { webhook_url: url }) }),
    ...(error !== null && { error: { message: error, code: errorCode } }),
  };
}

/** The request as code for each client; undefined if it ran no operation. */
export function toOperationSnippet(
  request: LoggedRequest,
  baseUrl: string,
): SnippetRequest | undefined {
  const operation = operationOf(request);
  if (!operation) return undefined;
  const files = filesOf(request, operation);
  const sourceOf = ({ name, url }: (typeof files)[number]): SnippetFile =>
    url === null ? { file: name } : { url };
  const parts = Object.keys(operation.files ?? {});
  const params = Object.entries(paramsOf(request)).filter(
    ([name]) => !parts.some((part) => name === `${part}_url`),
  );
  return {
    operation: operation.id,
    params: Object.fromEntries(params),
    ...snippetInputs(operation, files.filter(({ part }) => part === "file").map(sourceOf)),
    files: Object.fromEntries(
      files.filter(({ part }) => part !== "file").map((file) => [file.part, sourceOf(file)]),
    ),
    baseUrl,
  };
}

/** The request as a command for a POSIX shell. */
export function toCurl({ method, path, params }: LoggedRequest, baseUrl: string): string {
  const { query = {}, fields, files = [] } = params;
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [name, String(value)]),
  ).toString();
  const isForm = files.length > 0;
  const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
  const parts = Object.entries(fields ?? {}).map(([name, value]) => `${name}=${textOf(value)}`);
  return [
    `curl -sS ${method === "GET" ? "" : `-X ${method} `}${quote(`${baseUrl}${path}${search && `?${search}`}`)}`,
    '-H "X-API-Key: $MEDIAMILL_API_KEY"',
    ...(fields && !isForm
      ? ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(fields, null, 2))}`]
      : []),
    ...(isForm ? parts.map((text) => `--form-string ${quote(text)}`) : []),
    ...files.map(({ field, filename }) => `-F ${quote(`${field}=@${filename}`)}`),
  ].join(" \\\n  ");
}
