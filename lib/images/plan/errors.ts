/** A picture that cannot be sent. `message` is the whole body of the response. */
export class PictureError extends Error {
  override readonly name = "PictureError";
  readonly status: number;
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

/** A path that the grammar does not allow. As with imgproxy, nothing exists there. */
export function invalidUrl(reason: string): PictureError {
  return new PictureError(404, `Invalid URL: ${reason}`);
}
