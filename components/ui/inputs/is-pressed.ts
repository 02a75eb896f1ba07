/**
 * Whether the focus goes to a button or a link that is being pressed. A message that appears meanwhile
 * would move it away from under the pointer, and the click would be lost.
 */
export function isPressed(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("button, a") !== null;
}
