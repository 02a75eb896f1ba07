import { JobError } from "#lib/errors.ts";
import type { GuardedResponse } from "#lib/net/fetch.ts";
import type { PutResponse } from "#lib/net/put-file.ts";
import { StoreError, type StoreFault } from "./store.ts";

/** What the responses of stores say, in plain words. */

/** Statuses of a store that may accept the same request later. */
const temporaryStatuses = new Set([408, 425, 429]);

/** Whether a request that got this status will get it again. */
export function isPermanentStatus(status: number): boolean {
  return status < 500 && !temporaryStatuses.has(status);
}

/** The first bytes of a web page. */
const pageStart = /^\s*<(?:!doctype\s+html|html)\b/i;

/** Throws `export_failed` unless the store has confirmed the file, with its checksum if it sends one. */
export function requireStored(response: PutResponse): void {
  const { status, etag, isEncrypted, isWhole, md5, bodyStart } = response;
  if (status < 200 || status > 299) {
    const message = messageOf(status, bodyStart, "the file");
    throw new JobError("export_failed", message, { isPermanent: isPermanentStatus(status) });
  }
  if (!isWhole) {
    throw new JobError(
      "export_failed",
      "The store confirmed the file before it had received all of it.",
    );
  }
  // Web servers that know nothing of PUT respond with a page. Those of WebDAV have one for 201.
  if (status === 200 && pageStart.test(bodyStart)) {
    throw new JobError(
      "export_failed",
      "The server responded with success, but not as a store that has the file. Check the URL.",
      { isPermanent: true },
    );
  }
  // A file that was sent at once has its MD5 as ETag, unless the store encrypts it.
  const isChecksum = etag !== null && /^[0-9a-f]{32}$/i.test(etag) && !isEncrypted;
  if (!isChecksum || etag.toLowerCase() === md5) return;
  throw new JobError("export_failed", "The store has other bytes than those that were sent.");
}

/** Throws `StoreError` unless the status is one of success. `what` is the object of the message: "the list". */
export function requireSuccess(response: GuardedResponse, what: string): void {
  const refusal = refusalOf(response, what);
  if (refusal) throw refusal;
}

/** The error of a response that is none of success. `what` is the object of its message: "the list". */
export function refusalOf(
  { status, bodyStart }: GuardedResponse,
  what: string,
): StoreError | undefined {
  if (status >= 200 && status < 300) return undefined;
  const fault = faultOf(status, bodyStart);
  return new StoreError(messageOf(status, bodyStart, what), {
    isPermanent: isPermanentStatus(status),
    ...(fault && { fault }),
  });
}

/** The codes of S3, Google Cloud Storage and Azure. */
const faultsByCode: ReadonlyMap<string, StoreFault> = new Map(
  Object.entries<StoreFault>({
    NoSuchKey: "missing",
    BlobNotFound: "missing",
    NoSuchBucket: "no_bucket",
    ContainerNotFound: "no_bucket",
    AccessDenied: "denied",
    AuthorizationFailure: "denied",
    AuthorizationPermissionMismatch: "denied",
    AuthenticationFailed: "credentials",
    ExpiredToken: "credentials",
    InvalidAccessKeyId: "credentials",
    InvalidToken: "credentials",
    SignatureDoesNotMatch: "credentials",
    QuotaExceeded: "full",
    XMinioStorageFull: "full",
  }),
);

const faultsByStatus: Readonly<Record<number, StoreFault>> = {
  401: "credentials",
  403: "denied",
  404: "missing",
  410: "missing",
  507: "full",
};

/** Why a store refused a request with this status, and this body, if it says so. */
function faultOf(status: number, body: string): StoreFault | undefined {
  if (regionOf(body) !== undefined) return "region";
  if (status < 400) return undefined;
  // Azurite has the code of a denied request for this.
  if (/failed to authenticate the request/i.test(body)) return "credentials";
  const code = codeOf(body);
  const known = faultsByCode.get(code ?? "");
  // Not every 403 is about permissions: an archived file and a wrong clock have codes of their own.
  if (known || (code !== undefined && status === 403)) return known;
  return faultsByStatus[status];
}

/** The region of a bucket, if S3 refused a request because it was for another one. */
function regionOf(body: string): string | undefined {
  switch (codeOf(body)) {
    case "AuthorizationHeaderMalformed":
    case "AuthorizationQueryParametersError":
      return /<Region>([a-z0-9-]{1,60})<\/Region>/.exec(body)?.[1];
    case "PermanentRedirect": {
      const [, endpoint = ""] = /<Endpoint>([^<]{1,300})<\/Endpoint>/.exec(body) ?? [];
      if (/(?:^|\.)s3\.amazonaws\.com$/.test(endpoint)) return "us-east-1";
      return /(?:^|\.)s3[.-]([a-z0-9-]{1,60})\.amazonaws\.com(?:\.cn)?$/.exec(endpoint)?.[1];
    }
    default:
      return undefined;
  }
}

/** What to do about a refusal, where the words of stores do not say it. */
const hints: Readonly<Partial<Record<StoreFault, string>>> = {
  missing: " Check the address and the folder of the connection.",
  no_bucket: " Create it, or change the connection.",
  credentials: " Send the right credentials of the connection.",
};

function messageOf(status: number, body: string, what: string): string {
  const fault = faultOf(status, body);
  if (fault === "region") {
    return `The bucket is in the region ${regionOf(body)}, and the connection names another one. Change its \`region\`.`;
  }
  const reason = `status ${status}${reasonOf(status, body)}`;
  if (fault === "full") return `The store has no space left for ${what}: ${reason}.`;
  return `The store refused ${what} with ${reason}.${(fault && hints[fault]) ?? ""}`;
}

const codeOf = (body: string) => /<Code>([^<]{1,100})<\/Code>/.exec(body)?.[1];

const maxReasonLength = 200;

/** The code and the message of the XML that stores respond with, or the first line of a text. */
function reasonOf(status: number, body: string): string {
  if (status >= 300 && status < 400) {
    return ", a redirect to another address. Send the address that it leads to";
  }
  const code = codeOf(body);
  const said = /<Message>([^<\n]{1,500})/.exec(body)?.[1] ?? textOf(body);
  const reason = [code, said]
    .filter(Boolean)
    .join(": ")
    .trim()
    .replace(/[.\s]+$/, "");
  return reason && `: ${reason.slice(0, maxReasonLength)}`;
}

/** The first line of a short text; empty for markup and JSON. */
function textOf(body: string): string {
  const line = body.trim().split("\n")[0] ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are not shown
  return /^[<{[]|[\u0000-\u001f\u007f]/.test(line) ? "" : line;
}
