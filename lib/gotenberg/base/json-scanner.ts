/**
 * The syntax errors of Go's encoding/json, whose texts clients of Gotenberg know. The states are those of its scanner
 * (encoding/json/scanner.go); it reads bytes, so a character of several bytes is named by its first one.
 */

type Container = "object key" | "object value" | "array";

/** Reads one byte and returns the next state, or throws `SyntaxFault`. */
type State = (byte: number) => State;

class SyntaxFault extends Error {
  override readonly name = "SyntaxFault";
}

/** Go allows 10,000, but values are read recursively here, and the stack must hold them. */
const maxDepth = 1000;

/** The error that Go has for a JSON text; undefined if its syntax is valid. */
export function findSyntaxFault(text: string): string | undefined {
  const scanner = createScanner();
  try {
    let state = scanner.start;
    for (const byte of Buffer.from(text)) state = state(byte);
    // A number ends only with the byte after it.
    state(0x20);
  } catch (error) {
    if (error instanceof SyntaxFault) return error.message;
    throw error;
  }
  return scanner.isComplete() ? undefined : "unexpected end of JSON input";
}

function createScanner(): { readonly start: State; readonly isComplete: () => boolean } {
  const containers: Container[] = [];
  let isComplete = false;

  const beginValue: State = (byte) => {
    if (isSpace(byte)) return beginValue;
    const char = String.fromCharCode(byte);
    if (char === "{") return open(byte, "object key", beginKeyOrEnd);
    if (char === "[") return open(byte, "array", beginElementOrEnd);
    if (char === '"') return inString;
    if (char === "-") return afterMinus;
    if (char === "0") return afterInteger;
    if (isDigit(byte)) return inInteger;
    const literal = literals.get(char);
    return literal ? inLiteral(literal, 1) : fail(byte, "looking for beginning of value");
  };

  const open = (byte: number, container: Container, next: State): State => {
    containers.push(container);
    return containers.length > maxDepth ? fail(byte, "exceeded max depth") : next;
  };

  const close = (): State => {
    containers.pop();
    isComplete = containers.length === 0;
    return isComplete ? afterTop : endValue;
  };

  const beginElementOrEnd: State = (byte) => {
    if (isSpace(byte)) return beginElementOrEnd;
    return is(byte, "]") ? close() : beginValue(byte);
  };

  const beginKeyOrEnd: State = (byte) => {
    if (isSpace(byte)) return beginKeyOrEnd;
    return is(byte, "}") ? close() : beginKey(byte);
  };

  const beginKey: State = (byte) => {
    if (isSpace(byte)) return beginKey;
    return is(byte, '"') ? inString : fail(byte, "looking for beginning of object key string");
  };

  const endValue: State = (byte) => {
    const container = containers.at(-1);
    if (container === undefined) {
      isComplete = true;
      return afterTop(byte);
    }
    if (isSpace(byte)) return endValue;
    if (container === "object key") {
      if (!is(byte, ":")) return fail(byte, "after object key");
      containers[containers.length - 1] = "object value";
      return beginValue;
    }
    if (container === "object value") {
      if (is(byte, "}")) return close();
      if (!is(byte, ",")) return fail(byte, "after object key:value pair");
      containers[containers.length - 1] = "object key";
      return beginKey;
    }
    if (is(byte, "]")) return close();
    return is(byte, ",") ? beginValue : fail(byte, "after array element");
  };

  const afterTop: State = (byte) =>
    isSpace(byte) ? afterTop : fail(byte, "after top-level value");

  const inString: State = (byte) => {
    if (is(byte, '"')) return endValue;
    if (is(byte, "\\")) return inEscape;
    return byte < 0x20 ? fail(byte, "in string literal") : inString;
  };

  const inEscape: State = (byte) => {
    if (is(byte, "u")) return inCodePoint(4);
    const isKnown = 'bfnrt\\/"'.includes(String.fromCharCode(byte));
    return isKnown ? inString : fail(byte, "in string escape code");
  };

  const inCodePoint =
    (left: number): State =>
    (byte) => {
      const isHex = /[\da-f]/i.test(String.fromCharCode(byte));
      if (!isHex) return fail(byte, "in \\u hexadecimal character escape");
      return left === 1 ? inString : inCodePoint(left - 1);
    };

  const afterMinus: State = (byte) => {
    if (is(byte, "0")) return afterInteger;
    return isDigit(byte) ? inInteger : fail(byte, "in numeric literal");
  };

  const inInteger: State = (byte) => (isDigit(byte) ? inInteger : afterInteger(byte));

  const afterInteger: State = (byte) => (is(byte, ".") ? afterPoint : afterMantissa(byte));

  const afterPoint: State = (byte) =>
    isDigit(byte) ? inFraction : fail(byte, "after decimal point in numeric literal");

  const inFraction: State = (byte) => (isDigit(byte) ? inFraction : afterMantissa(byte));

  const afterMantissa: State = (byte) =>
    is(byte, "e") || is(byte, "E") ? beginExponent : endValue(byte);

  const beginExponent: State = (byte) =>
    is(byte, "+") || is(byte, "-") ? beginExponentDigits : beginExponentDigits(byte);

  const beginExponentDigits: State = (byte) =>
    isDigit(byte) ? inExponent : fail(byte, "in exponent of numeric literal");

  const inExponent: State = (byte) => (isDigit(byte) ? inExponent : endValue(byte));

  const inLiteral =
    (literal: string, at: number): State =>
    (byte) => {
      const expected = literal.charAt(at);
      if (!is(byte, expected)) {
        return fail(byte, `in literal ${literal} (expecting '${expected}')`);
      }
      return at === literal.length - 1 ? endValue : inLiteral(literal, at + 1);
    };

  return { start: beginValue, isComplete: () => isComplete };
}

const literals: ReadonlyMap<string, string> = new Map([
  ["t", "true"],
  ["f", "false"],
  ["n", "null"],
]);

function is(byte: number, char: string): boolean {
  return byte === char.charCodeAt(0);
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a;
}

function fail(byte: number, context: string): never {
  throw new SyntaxFault(`invalid character ${quoteByte(byte)} ${context}`);
}

const escapes: ReadonlyMap<string, string> = new Map([
  ["\x07", "\\a"],
  ["\b", "\\b"],
  ["\f", "\\f"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\v", "\\v"],
  ["\\", "\\\\"],
  ["'", "\\'"],
]);

/** A byte in single quotation marks, as the character with its number and with Go's escapes. */
function quoteByte(byte: number): string {
  const char = String.fromCharCode(byte);
  const hex = byte.toString(16);
  const isControl = byte < 0x20 || byte === 0x7f;
  const isUnprintable = (byte >= 0x80 && byte <= 0xa0) || byte === 0xad;
  const plain = isControl ? `\\x${hex.padStart(2, "0")}` : isUnprintable ? `\\u00${hex}` : char;
  return `'${escapes.get(char) ?? plain}'`;
}
