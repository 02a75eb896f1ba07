import { countJsonValues, maxJsonEntries } from "#lib/json-entries.ts";
import { findSyntaxFault } from "./json-scanner.ts";

/**
 * JSON read into types as Go's encoding/json does it, with its errors (encoding/json/decode.go): `null` is the zero
 * value of any type, names of fields match in any case, and unknown ones are ignored.
 */

/** A type of Go. `decode` gets a parsed value, in which numbers are `JsonNumber`. */
export interface GoType<Value> {
  readonly name: string;
  readonly zero: () => Value;
  readonly decode: (value: unknown, place: Place) => Value;
  /** `decode` gets `null` too. */
  readonly decodesNull?: boolean;
}

/** Where a value is: the innermost struct, and the names of the fields down to it. */
interface Place {
  readonly struct: string;
  readonly path: readonly string[];
  /** Records a value of another type. The first one is the error, and reading goes on. */
  readonly report: (found: string, type: string, place: Place) => void;
}

/** A number with its text, which errors quote. */
class JsonNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toJSON(): number {
    return Number(this.source);
  }
}

/**
 * Throws an error with Go's message if the JSON is not valid or has a value of another type, and one of its own if
 * there are so many values that reading them takes long.
 */
export function unmarshal<Value>(text: string, type: GoType<Value>): Value {
  if (countJsonValues(text) > maxJsonEntries) {
    throw new Error(`more than ${maxJsonEntries.toLocaleString("en")} values`);
  }
  const fault = findSyntaxFault(text);
  if (fault !== undefined) throw new Error(fault);
  let first: string | undefined;
  const place: Place = {
    struct: "",
    path: [],
    report: (found, name, { struct, path }) => {
      const target = struct ? `struct field ${struct}.${path.join(".")} of` : "value of";
      first ??= `json: cannot unmarshal ${found} into Go ${target} type ${name}`;
    },
  };
  const value = decode(JSON.parse(text, keepNumber), type, place);
  if (first !== undefined) throw new Error(first);
  return value;
}

/** `context` is missing in the types of TypeScript's library (ECMAScript 2026). */
function keepNumber(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  return typeof value === "number" ? new JsonNumber(context?.source ?? String(value)) : value;
}

function decode<Value>(value: unknown, type: GoType<Value>, place: Place): Value {
  return value === null && !type.decodesNull ? type.zero() : type.decode(value, place);
}

export const string: GoType<string> = {
  name: "string",
  zero: () => "",
  decode(value, place) {
    return typeof value === "string" ? value : mismatch(value, this, place);
  },
};

export const bool: GoType<boolean> = {
  name: "bool",
  zero: () => false,
  decode(value, place) {
    return typeof value === "boolean" ? value : mismatch(value, this, place);
  },
};

export const int = integer("int");
export const int64 = integer("int64");

function integer(name: string): GoType<number> {
  return {
    name,
    zero: () => 0,
    decode(value, place) {
      if (!(value instanceof JsonNumber)) return mismatch(value, this, place);
      const { source } = value;
      if (/^-?\d{1,19}$/.test(source) && BigInt.asIntN(64, BigInt(source)) === BigInt(source)) {
        return Number(source);
      }
      place.report(`number ${source}`, name, place);
      return 0;
    },
  };
}

/** Any value, with plain numbers. */
export const any: GoType<unknown> = {
  name: "interface {}",
  zero: () => null,
  decode(value, place) {
    if (value instanceof JsonNumber) {
      const number = Number(value.source);
      if (!Number.isFinite(number)) place.report(`number ${value.source}`, "float64", place);
      return number;
    }
    if (Array.isArray(value)) return value.map((one) => decode(one, any, place));
    return isObject(value) ? mapValues(value, any, place) : value;
  },
};

export function sliceOf<Value>(element: GoType<Value>): GoType<Value[]> {
  return {
    name: `[]${element.name}`,
    zero: () => [],
    decode(value, place) {
      if (!Array.isArray(value)) return mismatch(value, this, place);
      return value.map((one) => decode(one, element, place));
    },
  };
}

export function mapOf<Value>(element: GoType<Value>): GoType<Record<string, Value>> {
  return {
    name: `map[string]${element.name}`,
    zero: () => ({}),
    decode(value, place) {
      return isObject(value) ? mapValues(value, element, place) : mismatch(value, this, place);
    },
  };
}

type Fields<Struct> = { readonly [Name in keyof Struct]: GoType<Struct[Name]> };

/** A struct of a package. Its fields are given by a function, so that it may contain itself. */
export function struct<Struct extends object>(
  name: `${string}.${string}`,
  fields: () => Fields<Struct>,
): GoType<Struct> {
  const typesOf = () => Object.entries<GoType<unknown>>(fields());
  const zero = () =>
    // The names and the values are those of the fields.
    Object.fromEntries(typesOf().map(([own, type]) => [own, type.zero()])) as Struct;
  return {
    name,
    zero,
    decode(value, place) {
      if (!isObject(value)) return mismatch(value, this, place);
      const found = zero();
      for (const [given, one] of Object.entries(value)) {
        const [own, type] =
          typesOf().find(([field]) => field === given) ??
          typesOf().find(([field]) => field.toLowerCase() === given.toLowerCase()) ??
          [];
        if (own === undefined || type === undefined) continue;
        const inner = { ...place, struct: name.replace(/^.*\./, ""), path: [...place.path, own] };
        Object.assign(found, { [own]: decode(one, type, inner) });
      }
      return found;
    },
  };
}

/** A type that reads its JSON itself: `parse` gets the text, without quotation marks, also of `null`. */
export function custom<Value>(name: string, zero: Value, parse: (text: string) => Value) {
  const read = (value: unknown) => parse(typeof value === "string" ? value : JSON.stringify(value));
  return { name, zero: () => zero, decode: read, decodesNull: true } satisfies GoType<Value>;
}

function mapValues<Value>(values: object, type: GoType<Value>, place: Place) {
  const entries = Object.entries(values);
  return Object.fromEntries(entries.map(([key, one]) => [key, decode(one, type, place)]));
}

/** Reports a value of another type, and returns the zero value in its place. */
function mismatch<Value>(value: unknown, { name, zero }: GoType<Value>, place: Place): Value {
  place.report(kindOf(value), name, place);
  return zero();
}

function kindOf(value: unknown): string {
  if (value instanceof JsonNumber) return "number";
  if (Array.isArray(value)) return "array";
  return typeof value === "boolean" ? "bool" : typeof value;
}

function isObject(value: unknown): value is object {
  const isNested = typeof value === "object" && value !== null;
  return isNested && !Array.isArray(value) && !(value instanceof JsonNumber);
}
