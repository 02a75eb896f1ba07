export type EngineName =
  | "ffmpeg"
  | "ffprobe"
  | "image"
  | "chromium"
  | "libreoffice"
  | "exiftool"
  | "qpdf"
  | "poppler";

interface EngineFailure {
  readonly engine: EngineName;
  readonly exitCode?: number | null;
  readonly signal?: NodeJS.Signals | null;
  readonly timedOut?: boolean;
  readonly aborted?: boolean;
  readonly outputTooLarge?: boolean;
  readonly outOfMemory?: boolean;
  readonly stderrTail?: string;
  readonly cause?: unknown;
}

function tellHow(failure: EngineFailure): string {
  if (failure.timedOut) return "timed out";
  if (failure.aborted) return "was stopped";
  if (failure.outputTooLarge) return "printed too much";
  if (failure.outOfMemory) return "used too much memory";
  if (failure.signal) return `was ended by ${failure.signal}`;
  return `exited with ${failure.exitCode ?? "an error"}`;
}

/** An engine process that did not do its work. Causes are fields; the text is for the log alone. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly engine: EngineName;
  /** Null where a signal ended it. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It outlived its wall clock and was killed. */
  readonly timedOut: boolean;
  /** Its caller's signal was aborted and it was killed. */
  readonly aborted: boolean;
  /** It printed more than its limit and was killed. */
  readonly outputTooLarge: boolean;
  /** It used more memory than it may and was killed. */
  readonly outOfMemory: boolean;
  /** The last 4 KiB of what it printed on stderr; hostile text. */
  readonly stderrTail: string;

  constructor(failure: EngineFailure) {
    super(`${failure.engine} ${tellHow(failure)}`, { cause: failure.cause });
    this.engine = failure.engine;
    this.exitCode = failure.exitCode ?? null;
    this.signal = failure.signal ?? null;
    this.timedOut = failure.timedOut ?? false;
    this.aborted = failure.aborted ?? false;
    this.outputTooLarge = failure.outputTooLarge ?? false;
    this.outOfMemory = failure.outOfMemory ?? false;
    this.stderrTail = failure.stderrTail ?? "";
  }
}

/** An engine that is not on this machine. Requests that need it answer 503 naming it. */
export class EngineMissingError extends Error {
  override readonly name = "EngineMissingError";
  readonly engine: EngineName;

  constructor(engine: EngineName) {
    super(`${engine} is not installed`);
    this.engine = engine;
  }
}
