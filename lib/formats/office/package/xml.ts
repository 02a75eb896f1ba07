import type { Element, Node } from "@xmldom/xmldom";

/** Walking XML by local names: prefixes differ between the programs that write a format. */

export function isElement(node: Node | null): node is Element {
  return node?.nodeType === 1;
}

/** The child elements, or those called `name`. */
export function children(parent: Node, name?: string): Element[] {
  const found: Element[] = [];
  for (let node = parent.firstChild; node; node = node.nextSibling) {
    if (isElement(node) && (name === undefined || node.localName === name)) found.push(node);
  }
  return found;
}

/** The first child element called `name`, or at a path such as `pPr`, `numPr`. */
export function child(parent: Node | undefined, ...path: string[]): Element | undefined {
  let found: Node | undefined = parent;
  for (const name of path) {
    if (!found) return undefined;
    let node: Node | null = found.firstChild;
    while (node && !(isElement(node) && node.localName === name)) node = node.nextSibling;
    found = node ?? undefined;
  }
  return found === parent ? undefined : (found as Element | undefined);
}

/** All elements below `parent` called `name`, in order. */
export function* descendants(parent: Node, name: string): Generator<Element> {
  for (let node: Node | null = parent.firstChild; node; ) {
    if (isElement(node) && node.localName === name) yield node;
    if (node.firstChild) {
      node = node.firstChild;
      continue;
    }
    while (node && node !== parent && !node.nextSibling) node = node.parentNode;
    node = node && node !== parent ? node.nextSibling : null;
  }
}

/** The value of an attribute by its local name; undefined if it is absent. */
export function attribute(element: Element | undefined, name: string): string | undefined {
  if (!element) return undefined;
  for (const found of element.attributes) {
    if ((found.localName ?? found.name) === name) return found.value;
  }
  return undefined;
}

/** An attribute as a finite number; undefined otherwise. */
export function numberAttribute(element: Element | undefined, name: string): number | undefined {
  const text = attribute(element, name);
  const number = Number(text);
  return text === undefined || text === "" || !Number.isFinite(number) ? undefined : number;
}
