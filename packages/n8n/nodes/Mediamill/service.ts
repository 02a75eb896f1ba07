import {
  type IDataObject,
  type IExecuteFunctions,
  type IHttpRequestOptions,
  type JsonObject,
  NodeApiError,
  NodeOperationError,
  sleep,
} from "n8n-workflow";

/** Requests to the service, with the API key and with retries. */

/** A response with any status. */
export interface ServiceResponse {
  readonly statusCode: number;
  readonly headers: Record<string, string | undefined>;
  readonly body: unknown;
}

/** A job as the API sends it. */
export interface Job extends IDataObject {
  id: string;
  status: string;
  error: string | null;
  error_code: string | null;
  outputs: JobOutput[];
}

export interface JobOutput extends IDataObject {
  filename: string;
  content_type: string;
  /** Absent if the file was sent elsewhere and not kept. */
  url?: string;
}

const maxRetries = 3;

/** The longest time that is waited before a retry, in seconds. */
const maxRetrySeconds = 60;

/**
 * Sends a request with the API key; `url` starts with `/v1`. Throws `NodeApiError` with the message of
 * the service. It is sent again after lost connections, too many requests, and while the service is
 * unavailable: a request that creates a job or an upload has an `Idempotency-Key`. One with `wait` is sent again without it if the
 * account has too many of them. Ends with the execution.
 */
export async function request<Body>(
  context: IExecuteFunctions,
  itemIndex: number,
  options: IHttpRequestOptions,
): Promise<Body> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>("mediamillApi");
  const url = `${baseUrl.replace(/\/+$/, "")}${options.url}`;
  const abortSignal = context.getExecutionCancelSignal();
  let { qs = {} } = options;
  let attempt = 0;
  while (true) {
    const sent: Promise<ServiceResponse> = context.helpers.httpRequestWithAuthentication.call(
      context,
      "mediamillApi",
      {
        json: true,
        ...options,
        qs,
        ...(abortSignal ? { abortSignal } : {}),
        url,
        returnFullResponse: true,
        ignoreHttpStatusErrors: true,
      },
    );
    // With every status as a response, what is thrown is a connection that failed.
    const result = await sent.catch((error: Error) => error);
    if (abortSignal?.aborted) throw cancelledError(context, itemIndex);
    if (!(result instanceof Error) && result.statusCode < 400) return result.body as Body;
    const isPollRefused = !(result instanceof Error) && result.statusCode === 429 && "wait" in qs;
    // The job goes on meanwhile, so that is no failed attempt.
    const seconds = retrySeconds(result, isPollRefused ? 0 : attempt++);
    if (isPollRefused) {
      const { wait: _wait, ...others } = qs;
      qs = others;
    }
    if (seconds !== undefined) await sleep(seconds * 1000);
    else if (result instanceof Error) throw connectionError(context, itemIndex, baseUrl, result);
    else throw serviceError(context, itemIndex, result);
  }
}

/** When to try again; undefined if that is of no use: a used-up plan asks for days. */
function retrySeconds(result: ServiceResponse | Error, attempt: number) {
  if (attempt >= maxRetries) return undefined;
  const backoff = 2 ** attempt;
  if (result instanceof Error) return backoff;
  const { statusCode, headers } = result;
  const asked = headers["retry-after"];
  // A conflict that passes says when: the first request with the same key is still running.
  const passes = [408, 429].includes(statusCode) || (statusCode === 409 && asked);
  if (!passes && statusCode < 500) return undefined;
  const seconds = Number(asked ?? backoff);
  return seconds <= maxRetrySeconds ? seconds : undefined;
}

function connectionError(
  context: IExecuteFunctions,
  itemIndex: number,
  baseUrl: string,
  cause: Error,
): NodeOperationError {
  const message = `${baseUrl} could not be reached. Check the base URL in the credentials.`;
  const description = cause.message;
  return new NodeOperationError(context.getNode(), message, { itemIndex, description });
}

function cancelledError(context: IExecuteFunctions, itemIndex: number): NodeOperationError {
  const message = "The execution was stopped. Jobs that were created go on.";
  return new NodeOperationError(context.getNode(), message, { itemIndex });
}

/** The error for a response that is not a success. */
export function serviceError(
  context: IExecuteFunctions,
  itemIndex: number,
  response: ServiceResponse,
) {
  const { statusCode, headers, body } = response;
  const { error } = (typeof body === "object" && body !== null ? body : {}) as { error?: string };
  const code = headers["x-error-code"];
  const message =
    error ??
    (statusCode === 413
      ? hostLimitMessage(headers)
      : `The service answered with the status ${statusCode}. Check the base URL.`);
  return new NodeApiError(context.getNode(), { message, statusCode } as JsonObject, {
    message,
    itemIndex,
    httpCode: `${statusCode}`,
    ...(code ? { description: `Code: ${code}` } : {}),
  });
}

/** The host in front of the service refused a request. Vercel names its limit only by its code. */
function hostLimitMessage(headers: Record<string, unknown>): string {
  const limit = headers["x-vercel-error"]
    ? "accepts at most 4.5 MB per request"
    : "does not accept a request so large";
  return `This host ${limit}, and the storage of the service takes no uploads directly. Send the URL of the file.`;
}
