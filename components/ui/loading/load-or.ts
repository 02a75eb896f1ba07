import type { ComponentType } from "react";

/** Loads a component's script. */
export type LoadComponent<Props> = () => Promise<ComponentType<Props>>;

/** Loads the script of a component. If that fails, reports the error and resolves with `Fallback`. */
export async function loadOr<Props>(
  load: LoadComponent<Props>,
  Fallback: ComponentType<Props>,
): Promise<ComponentType<Props>> {
  try {
    return await load();
  } catch (error) {
    reportNotLoaded(error);
    return Fallback;
  }
}

/** Reports why a script was not loaded: one with a fault must not look like a lost connection. */
export function reportNotLoaded(error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the page only shows a note.
  console.error(error);
}
