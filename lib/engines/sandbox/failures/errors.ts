export type EngineName =
  | "ffmpeg"
  | "ffprobe"
  | "image"
  | "chromium"
  | "libreoffice"
  | "exiftool"
  | "vips"
  | "libraw"
  | "qpdf"
  | "poppler"
  | "jpegtran"
  | "cjxl"
  | "tesseract"
  | "ocrmypdf"
  | "ghostscript"
  | "7-zip";

interface EngineFailure {
  readonly engine: EngineName;
  readonly exitCode?: number | null;
  readonly signal?: NodeJS.Signals | null;
  readonly timedOut?: boolean;
  readonly aborted?: boolean;
  readonly outputTooLarge?: boolean;
  readonly invalidReply?: boolean;
  readonly outOfMemory?: boolean;
  readonly stderrTail?: string;
  readonly cause?: unknown;
}

function describeFailure(failure: EngineFailure): string {
  if (failure.timedOut) return "timed out";
  if (failure.aborted) return "was stopped";
  if (failure.outputTooLarge) return "wrote too much output";
  if (failure.invalidReply) return "sent an invalid reply";
  if (failure.outOfMemory) return "used too much memory";
  if (failure.signal) return `was killed by ${failure.signal}`;
  return `exited with ${failure.exitCode ?? "an error"}`;
}

/** An engine process that failed. Causes are fields; the message is for the log only. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly engine: EngineName;
  /** The exit code; null if a signal killed the process. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It exceeded its timeout and was killed. */
  readonly timedOut: boolean;
  /** The caller aborted it and it was killed. */
  readonly aborted: boolean;
  /** It wrote more output than its limit and was killed. */
  readonly outputTooLarge: boolean;
  /** It replied with something other than the protocol of warm processes allows, and was killed. */
  readonly invalidReply: boolean;
  /** It exceeded its memory limit and was killed. */
  readonly outOfMemory: boolean;
  /** The last 4 KiB of stderr; untrusted text. */
  readonly stderrTail: string;

  constructor(failure: EngineFailure) {
    super(`${failure.engine} ${describeFailure(failure)}`, { cause: failure.cause });
    this.engine = failure.engine;
    this.exitCode = failure.exitCode ?? null;
    this.signal = failure.signal ?? null;
    this.timedOut = failure.timedOut ?? false;
    this.aborted = failure.aborted ?? false;
    this.outputTooLarge = failure.outputTooLarge ?? false;
    this.invalidReply = failure.invalidReply ?? false;
    this.outOfMemory = failure.outOfMemory ?? false;
    this.stderrTail = failure.stderrTail ?? "";
  }
}

/** An engine that is not installed. Requests that need it get a 503 response that names it. */
export class EngineMissingError extends Error {
  override readonly name = "EngineMissingError";
  readonly engine: EngineName;

  constructor(engine: EngineName) {
    super(`${engine} is not installed`);
    this.engine = engine;
  }
}
