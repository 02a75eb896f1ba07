import {
  type IDataObject,
  type IExecuteFunctions,
  type IHttpRequestOptions,
  type JsonObject,
  NodeApiError,
  sleep,
} from "n8n-workflow";

/** Requests to the service, with the API key and with retries. */

interface ServiceResponse {
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
  url: string;
}

const maxRetries = 3;

/** The longest time that is waited before a retry, in seconds. */
const maxRetrySeconds = 60;

/**
 * Sends a request with the API key; `url` starts with `/v1`. Throws `NodeApiError` with the message of
 * the service. Too many requests and an unavailable service are retried.
 */
export async function request<Body>(
  context: IExecuteFunctions,
  itemIndex: number,
  options: IHttpRequestOptions,
): Promise<Body> {
  const { baseUrl } = await context.getCredentials<{ baseUrl: string }>("mediamillApi");
  const url = `${baseUrl.replace(/\/+$/, "")}${options.url}`;
  for (let attempt = 0; ; attempt++) {
    const response: ServiceResponse = await context.helpers.httpRequestWithAuthentication.call(
      context,
      "mediamillApi",
      {
        json: true,
        ...options,
        url,
        returnFullResponse: true,
        ignoreHttpStatusErrors: true,
      },
    );
    const { statusCode, body } = response;
    if (statusCode < 400) return body as Body;
    const seconds = retrySeconds(response, attempt);
    if (seconds === undefined) throw serviceError(context, itemIndex, response);
    await sleep(seconds * 1000);
  }
}

/** When to try again; undefined if that is of no use. A used-up plan asks for days. */
function retrySeconds({ statusCode, headers }: ServiceResponse, attempt: number) {
  if ((statusCode !== 429 && statusCode !== 503) || attempt >= maxRetries) return undefined;
  const seconds = Number(headers["retry-after"] ?? 2 ** attempt);
  return seconds <= maxRetrySeconds ? seconds : undefined;
}

function serviceError(context: IExecuteFunctions, itemIndex: number, response: ServiceResponse) {
  const { statusCode, headers, body } = response;
  const { error } = (typeof body === "object" && body !== null ? body : {}) as { error?: string };
  const code = headers["x-error-code"];
  const message =
    error ?? `The service answered with the status ${statusCode}. Check the base URL.`;
  return new NodeApiError(context.getNode(), { message, statusCode } as JsonObject, {
    message,
    itemIndex,
    httpCode: `${statusCode}`,
    ...(code ? { description: `Code: ${code}` } : {}),
  });
}
