import { hasEngine } from "#lib/engine-groups.ts";
import { env } from "#lib/env.ts";
import { operations } from "#lib/operations/catalogue/index.ts";

/** What a runner knows of its engines. */
export interface Engines {
  /** Whether jobs may use the engine now. */
  works(engine: string): boolean;
  /** Calls the listener when that changes. */
  onChange(listener: () => void): void;
}

/** All engines that `MEDIA_ENGINES` selects, without a check of whether they work. */
export const configuredEngines: Engines = {
  works: (engine) => hasEngine(env.MEDIA_ENGINES, engine),
  onChange: () => {},
};

/** The operations whose jobs a runner leaves to others: those that need an engine for which `works` is false. */
export function leftOperations(works: (engine: string) => boolean): string[] {
  return operations
    .filter(({ requires }) => requires.some((engine) => !works(engine)))
    .map(({ id }) => id);
}

/** A function that returns the current `leftOperations`. `onFewer` is called when they have become fewer. */
export function watchLeftOperations(
  engines: Engines,
  onFewer: () => void,
): () => readonly string[] {
  const read = () => leftOperations((engine) => engines.works(engine));
  let left = read();
  engines.onChange(() => {
    const before = left;
    left = read();
    if (before.some((id) => !left.includes(id))) onFewer();
  });
  return () => left;
}
