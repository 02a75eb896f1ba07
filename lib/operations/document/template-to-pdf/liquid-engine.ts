import { type FilterImplOptions, filters, Liquid } from "liquidjs";

/** Liquid for templates of users, which are untrusted. Used in a worker only. */

/** Characters of a template. */
export const maxTemplateLength = 2_000_000;

/** The time of one document, in milliseconds. */
export const renderLimitMs = 3000;

/** Characters and items of lists that a document may allocate. */
const memoryLimit = 30_000_000;

/** Tags that read other files. */
const fileTags = ["include", "render", "layout", "block"];

/**
 * An engine that reads no files, gives templates only the own properties of the data, fails for unknown
 * names and for objects that are printed without a filter or with `raw`, and escapes values for HTML unless they have
 * the filter `raw`.
 */
export function createLiquid(): Liquid {
  const engine = new Liquid({
    ownPropertyOnly: true,
    strictVariables: true,
    strictFilters: true,
    // `if` and the filter `default` may use names that do not exist.
    lenientIf: true,
    outputEscape: escapeValue,
    dynamicPartials: false,
    relativeReference: false,
    templates: {},
    parseLimit: maxTemplateLength,
    renderLimit: renderLimitMs,
    memoryLimit,
  });
  for (const name of fileTags) {
    engine.registerTag(name, {
      parse: () => {
        throw new Error(`the tag ${name} is not available, because a template is one file`);
      },
      render: () => {},
    });
  }
  engine.registerFilter("raw", { raw: true, handler: rejectObject });
  engine.registerFilter("number", formatNumber);
  engine.registerFilter("currency", formatCurrency);
  return engine;
}

type FilterHandler = Exclude<FilterImplOptions, { readonly handler: unknown }>;

/** The value as HTML. Throws what `rejectObject` throws. */
function escapeValue(this: ThisParameterType<FilterHandler>, value: unknown): string {
  rejectObject(value);
  const { escape: escapeHtml } = filters;
  if (typeof escapeHtml !== "function") throw new Error("Liquid has no filter escape");
  return String(escapeHtml.call(this, value));
}

/** Returns the value. Throws an `Error` for an object, and for a list with one, of which Liquid prints no content. */
function rejectObject(value: unknown): unknown {
  if (containsObject(value)) throw new Error("its value is an object, not a text or number");
  return value;
}

const containsObject = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(containsObject)
    : value !== null &&
      typeof value === "object" &&
      Object.getPrototypeOf(value) === Object.prototype;

/** `{{ 1234.5 | number: 2 }}` is 1,234.50; with "de" as the second argument 1.234,50. */
function formatNumber(value: unknown, digits: unknown = 2, locale: unknown = "en"): string {
  const fractionDigits = Math.min(Math.max(Math.trunc(Number(digits)) || 0, 0), 20);
  const options = { minimumFractionDigits: fractionDigits, maximumFractionDigits: fractionDigits };
  return new Intl.NumberFormat(String(locale), options).format(toNumber(value));
}

/** `{{ 1234.5 | currency: "EUR" }}` is €1,234.50; with "de" as the second argument 1.234,50 €. */
function formatCurrency(value: unknown, currency: unknown, locale: unknown = "en"): string {
  const options = { style: "currency", currency: String(currency) } as const;
  return new Intl.NumberFormat(String(locale), options).format(toNumber(value));
}

function toNumber(value: unknown): number {
  const number = Number(value);
  if (Number.isFinite(number) && value !== "" && value !== null) return number;
  throw new Error("the value is not a number");
}
