import { RE2JS, RE2JSException } from "re2js";

/**
 * Regular expressions for URLs. Those that request them may be hostile, so the expressions are of RE2, whose time is
 * linear in the length of the URL, and both lengths are limited.
 */

export const maxScopeLength = 1024;

/** The most characters of all scopes of a request: to compile 1,000 takes up to 0.05 seconds of CPU time. */
export const maxScopesLength = 2048;

/** Instructions of a compiled expression. With the longest URL, a match takes up to 0.2 seconds. */
const maxInstructions = 2000;

/** The longest URL that an expression matches. */
const maxUrlLength = 2048;

/** The largest product of nested counts, such as `{10}`, that RE2 compiles. */
const maxCount = 1000;

/** Instructions before the compiler simplifies them: takes up to 0.1 seconds. */
const maxUncompiled = 50_000;

/** URLs have no others, and RE2 compares each character of a range with its other cases. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the first character of ASCII
const outsideOfAscii = /[^\x00-\x7f]|\\x\{0*[1-9a-f][0-9a-f]{2}/i;

/** What is wrong with an expression, in the words of RE2; undefined if it is valid. */
export function findScopeFault(expression: string): string | undefined {
  if (expression.length > maxScopeLength) return `more than ${maxScopeLength} characters`;
  if (outsideOfAscii.test(expression)) return "characters outside of ASCII";
  if (expression.length * countRepeats(expression) > maxUncompiled) return "expression too large";
  try {
    const size = RE2JS.compile(expression).programSize();
    return size > maxInstructions ? "expression too large" : undefined;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    const [, problem = "invalid syntax"] =
      /^error parsing regexp: (.*?)(?:: `.*`)?$/s.exec(error.message) ?? [];
    return problem;
  }
}

/** The characters of the expressions. Equal ones count once. */
export function lengthOfScopes(expressions: Iterable<string>): number {
  return [...new Set(expressions)].reduce((length, one) => length + one.length, 0);
}

/** Whether an expression without a fault matches anywhere in a URL. */
export function compileScope(expression: string): (url: string) => boolean {
  const compiled = RE2JS.compile(expression);
  return (url) => url.length <= maxUrlLength && compiled.test(url);
}

/** How often the counts of an expression repeat a part of it, at most. */
function countRepeats(expression: string): number {
  let product = 1;
  for (const [, min, max] of expression.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    product *= Math.max(1, Number(max || min));
  }
  return Math.min(maxCount, product);
}
