/** An error as Gotenberg sends it: a status and a plain text, which is public. */
export class GotenbergError extends Error {
  override readonly name = "GotenbergError";
  readonly status: number;
  /** Of the response, such as `Retry-After`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    message: string,
    options: { cause?: unknown; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = status;
    this.headers = options.headers ?? {};
  }
}

/** The names of statuses (RFC 9110). */
export const statusTexts: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  429: "Too Many Requests",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** The error whose text is the name of its status. */
export function statusError(status: number, cause?: unknown): GotenbergError {
  return new GotenbergError(status, statusTexts[status] ?? "Internal Server Error", { cause });
}

/** The error of a form whose fields or files are not valid. */
export function invalidForm(problem: string): GotenbergError {
  return new GotenbergError(400, `Invalid form data: ${problem}`);
}

export const unsupportedFormat = new GotenbergError(
  400,
  "The requested PDF format is not supported, or no PDF engine could apply it. Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.",
);

export const unsupportedSplit = new GotenbergError(
  400,
  "The requested split mode is not supported, or no PDF engine could process it. Valid modes: 'intervals', 'pages'.",
);

export const invalidMetadata = new GotenbergError(
  400,
  "The requested metadata could not be written; ensure values are valid and free of control characters.",
);

export const timeLimitReached = new GotenbergError(
  503,
  "The request exceeded the time limit. Increase it with --api-timeout, or reduce the workload.",
);

export const bodyTooLarge = new GotenbergError(
  413,
  "The request body exceeds the configured size limit. Increase it with --api-body-limit, or send a smaller request.",
);
