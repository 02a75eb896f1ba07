/** The headers of requests that endpoints read. Endpoints refer to them by name. */

/** The longest time that a request may wait for its job, in seconds. */
export const maxWaitSeconds = 60;

/** The longest `Idempotency-Key`, in characters. */
export const maxIdempotencyKeyLength = 255;

export const requestHeaders = {
  IdempotencyKey: {
    name: "Idempotency-Key",
    schema: { type: "string", minLength: 1, maxLength: maxIdempotencyKeyLength },
    description:
      "A key that you choose. The same key and request within 24 hours get the first response again, and nothing is done twice.",
    example: "order-1042",
  },
  Prefer: {
    name: "Prefer",
    schema: { type: "string", pattern: "^wait=([1-9]|[1-5][0-9]|60)$" },
    description: `\`wait=N\`, 1 to ${maxWaitSeconds}: respond when the job has ended, or after N seconds (RFC 7240).`,
    example: "wait=30",
  },
  LastEventId: {
    name: "Last-Event-ID",
    schema: { type: "string" },
    description: "The id of the last event that you got. The stream continues after it.",
    example: "1763828000123-2-job_0aB3dE6gH9jK2mN5pQ8sT1vW",
  },
  Range: {
    name: "Range",
    schema: { type: "string" },
    description: "One range of bytes. A request for several ranges gets the whole file.",
    example: "bytes=0-1023",
  },
  IfRange: {
    name: "If-Range",
    schema: { type: "string" },
    description: "The ETag that Range refers to. If the file has another ETag, it is sent whole.",
  },
  IfNoneMatch: {
    name: "If-None-Match",
    schema: { type: "string" },
    description: "ETags of the files that you have. A file with one of them is not sent again.",
  },
  IfMatch: {
    name: "If-Match",
    schema: { type: "string" },
    description: "ETags of files. A file with none of them is not sent.",
  },
  TusResumable: {
    name: "Tus-Resumable",
    required: true,
    schema: { const: "1.0.0" },
    description: "The version of tus that the client speaks.",
    example: "1.0.0",
  },
  UploadOffset: {
    name: "Upload-Offset",
    required: true,
    schema: { type: "integer", minimum: 0 },
    description: "Where the body begins in the file: the number of bytes that have arrived.",
  },
  UploadLength: {
    name: "Upload-Length",
    required: true,
    schema: { type: "integer", minimum: 1 },
    description: "The file's exact size in bytes.",
  },
  UploadMetadata: {
    name: "Upload-Metadata",
    schema: { type: "string" },
    description: "Pairs of a name and a value in base64. `filename` or `name` is the file's name.",
    example: "filename dmlkZW8ubXA0",
  },
  UploadChecksum: {
    name: "Upload-Checksum",
    schema: { type: "string" },
    description:
      "The checksum of the body: `md5`, `sha1`, `sha256`, `sha384` or `sha512`, a space, and the value in base64.",
    example: "sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=",
  },
} as const;

/** Names the method of a request of tus whose client cannot send that method. */
export const methodOverrideHeader = "X-HTTP-Method-Override";

export type RequestHeaderName = keyof typeof requestHeaders;
