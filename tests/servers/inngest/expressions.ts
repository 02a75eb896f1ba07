/**
 * The value of an expression of a function's configuration. Inngest evaluates CEL; what ours say
 * (member access, ==, + and ?:) means the same in JavaScript, and `string()` is all that it lacks.
 */
export function evaluate(expression: string, variables: Record<string, unknown>): unknown {
  const names = Object.keys(variables);
  const body = `"use strict"; return (${expression});`;
  return new Function("string", ...names, body)(String, ...Object.values(variables));
}
