/**
 * Evaluates an expression of a function's configuration. Inngest uses CEL. The expressions of this
 * project (member access, ==, + and ?:) are valid JavaScript, apart from `string()`.
 */
export function evaluate(expression: string, variables: Record<string, unknown>): unknown {
  const names = Object.keys(variables);
  const body = `"use strict"; return (${expression});`;
  return new Function("string", ...names, body)(String, ...Object.values(variables));
}
