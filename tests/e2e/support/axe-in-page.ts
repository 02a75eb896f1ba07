import type { AxeResults, NodeResult, Result, RunOptions } from "axe-core";

/** Playwright sends the source of these functions to the page: nothing outside of them exists there. */

interface Rule extends Pick<Result, "id" | "impact"> {
  matches(node: Element, ...more: unknown[]): boolean;
  /** What `matches` was before this module replaced it. */
  matchesAll?: Rule["matches"];
}

declare const window: {
  readonly axe: {
    run(context: Document, options: RunOptions): Promise<AxeResults>;
    readonly _audit: { readonly rules: readonly Rule[] };
  };
};

/** A rule and the elements that violate it. */
export interface Violation extends Pick<Result, "id" | "impact"> {
  readonly nodes: readonly Pick<NodeResult, "target" | "failureSummary">[];
}

/**
 * The serious and critical violations, and the styles of the texts that hold the rules about colors.
 *
 * A style is a hash of the classes and the computed colors and fonts of a text's element and of what is drawn around
 * it. The colors of texts of the styles `passed` are not checked, and of the others three of each style.
 *
 * @param withOthers whether all rules are checked, or only those about colors
 */
export async function findViolations({
  colorRules,
  withOthers,
  passed,
}: {
  readonly colorRules: readonly string[];
  readonly withOthers: boolean;
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

  /** The style of what is drawn around the element's texts. What draws nothing changes no color. */
  function surroundingsOf(element: Element | null): string {
    if (!element) return "";
    const found = styles.get(element);
    if (found !== undefined) return found;
    const css = getComputedStyle(element);
    const around = surroundingsOf(element.parentElement);
    const drawn = [
      css.backgroundColor === "rgba(0, 0, 0, 0)" ? "" : css.backgroundColor,
      css.backgroundImage === "none" ? "" : css.backgroundImage,
      css.opacity === "1" ? "" : css.opacity,
      css.position === "static" ? "" : css.position,
      css.filter === "none" ? "" : css.filter,
    ].join("");
    const style =
      drawn === "" ? around : hash(`${around}|${element.getAttribute("class")}|${drawn}`);
    styles.set(element, style);
    return style;
  }

  function styleOf(element: Element): string {
    const { parentElement: parent } = element;
    const css = getComputedStyle(element);
    const own = [
      element.tagName,
      element.getAttribute("class"),
      css.color,
      css.fontSize,
      css.fontWeight,
      css.textDecorationLine,
      css.textShadow,
    ];
    // Only in a text must a link differ from it.
    if (element.tagName === "A" && parent && parent.textContent !== element.textContent)
      own.push(getComputedStyle(parent).color, getComputedStyle(parent).fontWeight);
    return hash([surroundingsOf(element), ...own].join("|"));
  }

  const hasText = (element: Element) =>
    element.matches("a, input, select, textarea") ||
    [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
  const texts = [...document.body.querySelectorAll("*")].filter(
    (element) => hasText(element) && element.checkVisibility(),
  );
  const wanted = [...Map.groupBy(texts, styleOf)].filter(([style]) => !known.has(style));
  const checked = new Set(wanted.flatMap(([, elements]) => elements.slice(0, 3)));
  if (checked.size === 0 && !withOthers) return { violations: [], passed: [] };
  const rules = window.axe._audit.rules;
  const isOn = ({ id, impact }: Rule) =>
    colorRules.includes(id)
      ? checked.size > 0
      : // Each rule has one impact. Those of less take a quarter of the time.
        withOthers && impact !== "minor" && impact !== "moderate";
  for (const rule of rules) {
    if (!colorRules.includes(rule.id)) continue;
    rule.matchesAll ??= rule.matches;
    const matches = rule.matchesAll;
    rule.matches = (node, ...more) => checked.has(node) && matches.call(rule, node, ...more);
  }
  // One run for all rules, because to read the page takes as long as most rules.
  const results = await window.axe.run(document, {
    rules: Object.fromEntries(
      rules.filter((rule) => !isOn(rule)).map(({ id }) => [id, { enabled: false }]),
    ),
    // Of the rules that hold, axe describes one element instead of all, which halves its time.
    resultTypes: ["violations", "incomplete"],
    elementRef: true,
  });
  const elementsOf = (found: readonly Result[]) =>
    new Set<Node | undefined>(
      found
        .filter(({ id }) => colorRules.includes(id))
        .flatMap(({ nodes }) => nodes.map(({ element }) => element)),
    );
  const violating = elementsOf(results.violations);
  const undecided = elementsOf(results.incomplete);
  // Axe decides nothing about texts that are scrolled out of their box. One of the same style decides for them.
  const hasPassed = (elements: readonly Element[]) =>
    !elements.some((element) => violating.has(element)) &&
    elements.slice(0, 3).some((element) => !undecided.has(element));
  return {
    // An element cannot be sent to the test.
    violations: results.violations.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.map(({ target, failureSummary }) => ({ target, failureSummary })),
    })),
    passed: wanted.flatMap(([style, elements]) => (hasPassed(elements) ? [style] : [])),
  };
}
