/**
 * What a reader of a file throws for bytes that its format forbids. Everything else that it throws is no
 * fault of the file: an error of the program, a full disk, a missing right.
 */
export class DamagedDataError extends RangeError {
  override readonly name = "DamagedDataError";
}

/** Node's codes for a read past the end of a buffer: a length or an offset in the file is wrong. */
const boundsCodes: ReadonlySet<string> = new Set(["ERR_OUT_OF_RANGE", "ERR_BUFFER_OUT_OF_BOUNDS"]);

/** zlib's codes for compressed data that is damaged or incomplete. */
const zlibCodes: ReadonlySet<string> = new Set(["Z_DATA_ERROR", "Z_BUF_ERROR", "Z_NEED_DICT"]);

/** Whether `error` means that the bytes of a file are damaged. */
export function isDamagedData(error: unknown): boolean {
  if (error instanceof DamagedDataError) return true;
  const code = codeOf(error);
  return code !== undefined && (boundsCodes.has(code) || zlibCodes.has(code));
}

/**
 * Whether a library that has no class for them, such as yauzl or pdf-lib, throws `error` for a damaged
 * file: a plain `Error` without a code. Errors of the system have a code, those of a program a class.
 */
export function isPlainError(error: unknown): boolean {
  return error instanceof Error && error.name === "Error" && codeOf(error) === undefined;
}

/** Whether code of the package `name` has thrown `error` itself, and not what it called. */
export function isThrownIn(error: unknown, name: string): boolean {
  return thrownAt(error).includes(`/node_modules/${name}/`);
}

/** The innermost call of the stack of `error`, with its file. */
export function thrownAt(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? "") : "";
  return /^ +at .*$/m.exec(stack)?.[0] ?? "";
}

/**
 * Whether data is nested more deeply, has a loop of references, or has a longer text, than a program can
 * hold.
 */
export function exceedsProgramLimits(error: unknown): boolean {
  return error instanceof RangeError && /call stack|string length/.test(error.message);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
