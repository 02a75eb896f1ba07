import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  JobFailedError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from "../../sdk/src/index.ts";
import { type ExitCode, exitCodes } from "./exit-codes.ts";

/** A failure whose message is for the user. */
export class CliError extends Error {
  override name = "CliError";
  readonly exitCode: ExitCode;
  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The command line is wrong. */
export class UsageError extends CliError {
  override name = "UsageError";
  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}

/** A failure as it is shown, and as `--json` prints it. */
export interface Failure {
  readonly message: string;
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly jobId?: string | undefined;
  readonly requestId?: string | undefined;
}

/** What to say about an error, and with which code to exit. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof CliError)
    return { message: error.message, code: "cli", exitCode: error.exitCode };
  if (error instanceof JobFailedError) {
    const { message, code, job } = error;
    return { message, code, exitCode: exitCodes.job, jobId: job.id };
  }
  if (error instanceof TimeoutError) {
    const { message, jobId } = error;
    const exitCode = jobId ? exitCodes.timeout : exitCodes.unavailable;
    return { message, code: "timeout", exitCode, jobId };
  }
  if (error instanceof ConnectionError) {
    const message = `${error.message} Check --base-url and your connection; \`mediamill doctor\` tests both.`;
    return { message, code: "connection", exitCode: exitCodes.unavailable };
  }
  if (error instanceof ApiError) {
    const { code, requestId } = error;
    return { message: adviceFor(error), code, exitCode: exitCodeOf(error), requestId };
  }
  if (isFileError(error)) {
    return { message: fileMessage(error), code: error.code, exitCode: exitCodes.usage };
  }
  const message = error instanceof Error ? error.message : String(error);
  return { message, code: "internal", exitCode: exitCodes.failed };
}

function adviceFor(error: ApiError): string {
  if (error instanceof AuthenticationError) {
    return "The API key is missing or not valid. Run `mediamill login`, or set MEDIAMILL_API_KEY.";
  }
  return error.message;
}

function exitCodeOf(error: ApiError): ExitCode {
  if (error instanceof AuthenticationError || error instanceof PermissionError)
    return exitCodes.access;
  if (error instanceof RateLimitError) return exitCodes.limit;
  return error instanceof ServerError ? exitCodes.unavailable : exitCodes.rejected;
}

interface FileError extends Error {
  readonly code: string;
  readonly path?: string;
}

function isFileError(error: unknown): error is FileError {
  return error instanceof Error && "code" in error && "syscall" in error;
}

const fileReasons: Readonly<Record<string, string>> = {
  ENOENT: "does not exist",
  EACCES: "may not be read or written by you",
  EISDIR: "is a folder",
  ENOTDIR: "is not a folder",
  ENOSPC: "cannot be written: the disk is full",
  EROFS: "cannot be written: it is on a disk that is read-only",
  ENAMETOOLONG: "has a name that is too long",
};

function fileMessage({ code, path, message }: FileError): string {
  const reason = fileReasons[code];
  // A write to an open file does not say which.
  if (code === "ENOSPC" && !path) return "The output cannot be written: the disk is full.";
  return reason && path ? `${path} ${reason}.` : message;
}
