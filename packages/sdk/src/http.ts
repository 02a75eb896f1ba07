import { ApiError, apiError, ConnectionError, TimeoutError } from "./errors.ts";

export interface ClientOptions {
  /** The API key; by default the environment variable `MEDIAMILL_API_KEY`. */
  apiKey?: string | undefined;
  /**
   * The URL of the service without a trailing slash; by default the environment variable
   * `MEDIAMILL_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /** How often a request is sent again after a failure that may pass. Default: 3. */
  maxRetries?: number | undefined;
  /**
   * How long a request without an answer lasts until it is given up, in milliseconds. Default: 100
   * 000.
   */
  requestTimeout?: number | undefined;
  /** The function that sends requests; by default the global `fetch`. */
  fetch?: typeof fetch | undefined;
  /**
   * Where the ids of unfinished uploads are kept, so that large files go on in another process. By default,
   * they go on within the call only.
   */
  uploadStore?: UploadStore | undefined;
}

/** Keeps texts, such as a `Map`, or with `localStorage` or a file behind it. */
export interface UploadStore {
  get(key: string): string | undefined | Promise<string | undefined>;
  set(key: string, id: string): unknown;
  delete(key: string): unknown;
}

export interface HttpRequest {
  readonly method?: string;
  readonly query?: Record<string, unknown> | undefined;
  /** Creates the body for each attempt. Not named `BodyInit`, which the types of Node.js do not have. */
  readonly body?: () => NonNullable<RequestInit["body"]>;
  readonly headers?: Record<string, string>;
  readonly signal?: AbortSignal | undefined;
  /** It creates something and has no `Idempotency-Key`: it is not sent again if it may have arrived. */
  readonly once?: boolean;
  /** It is sent once: the caller tries again. */
  readonly isSingle?: boolean;
  /** It is not sent again after a response with this status. */
  readonly finalStatus?: number;
  /** The time until the headers of the response, and its body if that is JSON, in milliseconds. */
  readonly timeout?: number | undefined;
  /** The whole body is read, so that a connection that is cut within it is a failure of the attempt. */
  readonly isJson?: boolean;
}

const delay = { first: 500, last: 8000, longest: 60_000 };

/** Sends requests to the service, and sends them again after failures that may pass. */
export class Http {
  readonly baseUrl: string;
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
    const url = options.baseUrl ?? variable("MEDIAMILL_BASE_URL") ?? "http://localhost:3000";
    this.baseUrl = url.replace(/\/+$/, "");
  }

  get uploadStore(): UploadStore | undefined {
    return this.#options.uploadStore;
  }

  /** Sends a request. Resolves with a successful response, else throws `ApiError`. */
  async send(path: string, request: HttpRequest = {}): Promise<Response> {
    const { maxRetries = 3 } = this.#options;
    for (let attempt = 0; ; attempt++) {
      const { response, error } = await this.#attempt(path, request);
      if (response?.ok) return response;
      const failure = error ?? (await apiError(response as Response));
      const isFinal =
        request.isSingle || (response !== undefined && response.status === request.finalStatus);
      const wait =
        attempt < maxRetries && !isFinal ? retryAfter(failure, attempt, request.once) : undefined;
      if (wait === undefined) throw failure;
      await sleep(wait, request.signal);
    }
  }

  async json<Body>(path: string, request?: HttpRequest): Promise<Body> {
    return readJson<Body>(await this.send(path, { ...request, isJson: true }));
  }

  /** A URL of the service, or any other complete one. */
  url(path: string, query: Record<string, unknown> = {}): string {
    const url = new URL(path.startsWith("/") ? this.baseUrl + path : path);
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      if (typeof value !== "object") url.searchParams.set(name, String(value));
      else
        for (const [key, one] of Object.entries(value ?? {}))
          url.searchParams.set(`${name}[${key}]`, String(one));
    }
    return url.href;
  }

  async #attempt(
    path: string,
    { method = "GET", query, body, headers, signal, timeout, isJson }: HttpRequest,
  ): Promise<{ response?: Response; error?: Error }> {
    const { apiKey, requestTimeout = 100_000, fetch: send = fetch } = this.#options;
    const key = apiKey ?? variable("MEDIAMILL_API_KEY");
    const limit = new AbortController();
    const url = this.url(path, query);
    const isOwn = path.startsWith("/");
    // What fetch says about it names no cause, or the key itself.
    if (key && /[^!-~]/.test(key))
      throw new TypeError("The API key has characters that no key has.");
    signal?.throwIfAborted();
    const content = body?.();
    // For redirects, Node would keep a copy of all that a stream has sent.
    const isStream = content instanceof ReadableStream;
    const timer = setTimeout(() => limit.abort(), timeout ?? requestTimeout);
    try {
      const response = await send(url, {
        method,
        // As a bearer, because it must not follow a redirect to another host.
        headers: { ...(key && isOwn ? { Authorization: `Bearer ${key}` } : {}), ...headers },
        signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
        ...(content === undefined ? {} : { body: content, duplex: "half" }),
        ...(isStream ? { redirect: "error", window: null } : {}),
      } as RequestInit);
      if (!isJson) return { response };
      // A redirected POST has become a GET, and the key does not go to another host.
      if (response.redirected && (method !== "GET" || !response.ok)) {
        const { origin } = new URL(response.url);
        return {
          error: new ApiError(`The service redirects to ${origin}. Use its base URL.`, response),
        };
      }
      const { status, headers: received } = response;
      return {
        response: new Response((await response.text()) || null, { status, headers: received }),
      };
    } catch (cause) {
      signal?.throwIfAborted();
      if (limit.signal.aborted) return { error: new TimeoutError(`No answer from ${url}.`) };
      const error = new ConnectionError(`${new URL(url).host} could not be reached.`, { cause });
      return { error };
    } finally {
      clearTimeout(timer);
    }
  }
}

/** The JSON of a response. Throws `ApiError` if it is something else, such as the page of another server. */
export async function readJson<Body>(response: Response): Promise<Body> {
  try {
    return (await response.clone().json()) as Body;
  } catch (cause) {
    const message = "The response is not that of a Mediamill service. Check the base URL.";
    throw Object.assign(new ApiError(message, response), { cause });
  }
}

/** Milliseconds until the next attempt; undefined if another would not help, or could do it twice. */
function retryAfter(error: Error, attempt: number, once = false): number | undefined {
  const backoff = Math.min(delay.last, delay.first * 2 ** attempt) * (0.75 + Math.random() / 2);
  if (!(error instanceof ApiError)) return once ? undefined : backoff;
  const { status } = error;
  const asked = askedTime(error);
  // A conflict that passes says when: the first request with the same key is still running.
  const passes = status === 408 || status === 429 || status >= 500 || (status === 409 && asked);
  if (!passes || (once && status !== 429 && status !== 503)) return undefined;
  if (asked === undefined) return backoff;
  return asked <= delay.longest ? asked : undefined;
}

/** The milliseconds that a response asks to wait; undefined if it does not say. */
function askedTime({ headers }: ApiError): number | undefined {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds * 1000 : undefined;
}

/** Milliseconds until a job is read again after the status 429. */
export function pollPause(error: ApiError): number {
  return Math.min(delay.longest, Math.max(delay.first, askedTime(error) ?? delay.last));
}

/** Resolves after a time. Rejects with the signal's reason if it is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

/** An environment variable, where there are any. */
function variable(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return process?.env?.[name];
}

/** A promise of the data that also has the response. */
export class ApiPromise<Data> implements PromiseLike<Data> {
  readonly #sent: Promise<Response>;
  readonly #parse: (response: Response) => Promise<Data>;
  #parsed: Promise<Data> | undefined;

  constructor(sent: Promise<Response>, parse: (response: Response) => Promise<Data>) {
    this.#sent = sent;
    this.#parse = parse;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is awaited like a promise
  then<Value = Data, Failure = never>(
    onData?: ((data: Data) => Value | PromiseLike<Value>) | null,
    onError?: ((error: unknown) => Failure | PromiseLike<Failure>) | null,
  ): Promise<Value | Failure> {
    this.#parsed ??= this.#sent.then(this.#parse);
    return this.#parsed.then(onData, onError);
  }

  catch<Failure = never>(onError: (error: unknown) => Failure | PromiseLike<Failure>) {
    return this.then(undefined, onError);
  }

  finally(onEnd: () => void): Promise<Data> {
    return this.then().finally(onEnd);
  }

  /** The data and the response, such as for the headers `RateLimit-Remaining` or `X-Request-Id`. */
  async withResponse(): Promise<{ data: Data; response: Response }> {
    return { data: await this, response: await this.#sent };
  }
}

/** The header of a request that creates a job or an upload, so that sending it again creates no second one. */
export function randomKey(): Record<string, string> {
  return { "Idempotency-Key": crypto.randomUUID() };
}

/** A request with a body of JSON. */
export function jsonBody(method: string, fields: unknown): HttpRequest {
  const headers = { "Content-Type": "application/json" };
  return { method, headers, body: () => JSON.stringify(fields), once: method === "POST" };
}
