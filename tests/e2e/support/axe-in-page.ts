import type { AxeResults, ElementContext, NodeResult, Result, RunOptions } from "axe-core";

/** Playwright sends the source of these functions to the page: nothing outside of them exists there. */

declare const window: {
  readonly axe: {
    run(context: ElementContext | Document, options: RunOptions): Promise<AxeResults>;
    readonly _audit: { readonly rules: readonly Pick<Result, "id" | "impact">[] };
  };
};

/** A rule and the elements that violate it. */
export interface Violation extends Pick<Result, "id" | "impact"> {
  readonly nodes: readonly Pick<NodeResult, "target" | "failureSummary">[];
}

/** The serious and critical violations of all rules but `others`. */
export async function findViolations(others: readonly string[]): Promise<Violation[]> {
  // Each rule has one impact. Those of less take a quarter of the time.
  const milder = window.axe._audit.rules.filter(
    ({ impact }) => impact === "minor" || impact === "moderate",
  );
  const off = [...others, ...milder.map(({ id }) => id)];
  const rules = Object.fromEntries(off.map((rule) => [rule, { enabled: false }]));
  // Of the rules that hold, axe describes one element instead of all, which halves its time.
  const { violations } = await window.axe.run(document, { rules, resultTypes: ["violations"] });
  return violations;
}

/**
 * The violations of the rules about colors, and the styles of the texts that hold them.
 *
 * A style is a hash of the classes and the computed colors, fonts and backgrounds of a text's element and of all
 * around it. Texts of the styles `passed` are not checked, and of the others three of each style.
 */
export async function findColorViolations({
  rules,
  passed,
}: {
  readonly rules: string[];
  readonly passed: readonly string[];
}): Promise<{ violations: Violation[]; passed: string[] }> {
  const known = new Set(passed);
  const styles = new WeakMap<Element, string>();

  /** FNV-1a with 32 bits, forwards and backwards: two styles are not taken for one. */
  function hash(text: string): string {
    let forwards = 0x811c9dc5;
    let backwards = 0x811c9dc5;
    for (let index = 0; index < text.length; index++) {
      forwards = Math.imul(forwards ^ text.charCodeAt(index), 0x01000193);
      backwards = Math.imul(backwards ^ text.charCodeAt(text.length - 1 - index), 0x01000193);
    }
    return `${forwards},${backwards}`;
  }

  function styleOf(element: Element): string {
    const found = styles.get(element);
    if (found) return found;
    const { parentElement: parent } = element;
    const css = getComputedStyle(element);
    const own = [
      element.tagName,
      element.getAttribute("class"),
      css.color,
      css.backgroundColor,
      css.backgroundImage,
      css.opacity,
      css.fontSize,
      css.fontWeight,
      css.position,
      css.textDecorationLine,
      css.textShadow,
    ];
    // Only in a text must a link differ from it.
    if (element.tagName === "A") own.push(String(parent?.textContent === element.textContent));
    const style = hash([parent ? styleOf(parent) : "", ...own].join("|"));
    styles.set(element, style);
    return style;
  }

  const hasText = (element: Element) =>
    element.matches("a, input, select, textarea") ||
    [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
  const texts = [...document.body.querySelectorAll("*")].filter(
    (element) => hasText(element) && element.checkVisibility(),
  );
  const wanted = [...Map.groupBy(texts, styleOf)].filter(([style]) => !known.has(style));
  const include = wanted.flatMap(([, elements]) => elements.slice(0, 3));
  if (include.length === 0) return { violations: [], passed: [] };
  const results = await window.axe.run(
    { include },
    {
      runOnly: rules,
      resultTypes: ["violations", "incomplete"],
      elementRef: true,
    },
  );
  // What axe could not decide has not passed.
  const open = new Set(
    [...results.violations, ...results.incomplete].flatMap(({ nodes }) =>
      nodes.map((node: NodeResult) => node.element),
    ),
  );
  const isOpen = (element: Element) => open.has(element as HTMLElement);
  return {
    // An element cannot be sent to the test.
    violations: results.violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
    })),
    passed: wanted.flatMap(([style, elements]) => (elements.some(isOpen) ? [] : [style])),
  };
}
