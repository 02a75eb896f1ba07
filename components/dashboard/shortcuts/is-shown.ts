/** Whether an element has a box on the page and is not disabled. */
export function isShown(element: HTMLElement): boolean {
  return element.getClientRects().length > 0 && !element.matches(":disabled");
}
