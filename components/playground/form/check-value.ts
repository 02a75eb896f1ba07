/** What a parameter may be: the keywords of its JSON Schema that a form can check. */
export interface ValueRule {
  readonly type?: unknown;
  readonly enum?: readonly (string | number)[];
  readonly anyOf?: readonly ValueRule[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

/**
 * Selects the keywords that are checked, so that the page has no more of the schema than it needs.
 */
export function toValueRule(rule: ValueRule): ValueRule {
  const { type, enum: values, anyOf, minimum, maximum, minLength, maxLength, pattern } = rule;
  const kept = { type, enum: values, minimum, maximum, minLength, maxLength, pattern };
  const defined = Object.entries(kept).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(defined), ...(anyOf ? { anyOf: anyOf.map(toValueRule) } : {}) };
}

/**
 * Whether the text of a form field is a value that the rule allows. Only rejects what the service rejects too: what
 * a form cannot decide, such as the parts of a list, is left to the service.
 */
export function isAllowedValue(rule: ValueRule, text: string): boolean {
  if (rule.anyOf) return rule.anyOf.some((form) => isAllowedValue(form, text));
  if (rule.enum) return rule.enum.some((value) => String(value) === text);
  switch (rule.type) {
    case "number":
    case "integer":
      return isAllowedNumber(rule, text);
    case "boolean":
      return text === "true" || text === "false";
    case "string":
      return isAllowedText(rule, text) || isAllowedText(rule, text.trim());
    case "object":
      return isJsonObject(text);
    default:
      return true;
  }
}

function isAllowedNumber({ type, minimum, maximum }: ValueRule, text: string): boolean {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) return false;
  if (type === "integer" && !Number.isInteger(value)) return false;
  return (
    value >= (minimum ?? Number.NEGATIVE_INFINITY) && value <= (maximum ?? Number.POSITIVE_INFINITY)
  );
}

function isAllowedText({ minLength, maxLength, pattern }: ValueRule, text: string): boolean {
  if (text.length < (minLength ?? 0) || text.length > (maxLength ?? text.length)) return false;
  return pattern === undefined || new RegExp(pattern, "u").test(text);
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
