import { JobError } from "#lib/errors.ts";
import { StoreError } from "./store.ts";

/** What failures of SFTP mean. */

export const statusNoFile = 2;
const statusPermission = 3;
/** What most failures of a server have. */
export const statusFailure = 4;
const statusUnsupported = 8;

/** Whether a server does not know the request. */
export function isUnsupported(error: unknown): boolean {
  return codeOf(error) === statusUnsupported || /not support|unsupported/i.test(String(error));
}

export const codeOf = (error: unknown) =>
  typeof error === "object" && error !== null && "code" in error ? error.code : undefined;

export const isSshError = (error: unknown): error is Error =>
  error instanceof Error && !(error instanceof StoreError) && !(error instanceof JobError);

export function describeConnection(cause: unknown): StoreError {
  const text = cause instanceof Error ? cause.message : "";
  if (/authentication|cannot parse privateKey|passphrase/i.test(text)) {
    const message = "The store refused the user name, the password or the key.";
    return new StoreError(message, { isPermanent: true, fault: "credentials", cause });
  }
  const message = "The store cannot be reached: the connection failed.";
  return new StoreError(message, { isPermanent: false, cause });
}

/** What ssh2 and its client say of a connection that ended while a request was pending, and what `requireOpen` says. */
const lostConnection =
  /no response from server|unexpected (?:end|close) event|ECONNRESET|EPIPE|the connection has ended/i;

/** What a failure of SFTP means; `what` is the object of the message. */
export function describeFailure(cause: unknown, what: string): StoreError {
  if (cause instanceof StoreError) return cause;
  const code = codeOf(cause);
  const text = cause instanceof Error ? cause.message : "";
  if (code === statusNoFile || code === "ENOENT" || /no such file/i.test(text)) {
    const message = "The store has no file with this path.";
    return new StoreError(message, { isPermanent: true, fault: "missing", cause });
  }
  if (code === statusPermission || code === "EACCES" || /permission denied/i.test(text)) {
    const message = `The store refused ${what}: no permission.`;
    return new StoreError(message, { isPermanent: true, fault: "denied", cause });
  }
  if (/no space|quota|disk full/i.test(text)) return noSpaceLeft(cause);
  if (lostConnection.test(text)) {
    const message = "The store did not respond, or has ended the connection.";
    return new StoreError(message, { isPermanent: false, cause });
  }
  return new StoreError(`The store refused ${what}.`, { isPermanent: false, cause });
}

export function noSpaceLeft(cause: unknown): StoreError {
  const message = "The store has no space left for the file.";
  return new StoreError(message, { isPermanent: false, fault: "full", cause });
}
