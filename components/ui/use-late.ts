"use client";

import { type ComponentType, useState } from "react";

/** Gives a component of a script that is not loaded yet. */
export type LoadComponent<Props> = () => Promise<ComponentType<Props>>;

/**
 * A component whose script is loaded when it is about to be needed: `loadAhead` begins, `want` asks
 * for it to be drawn. Without Suspense, whose late content React holds back for up to 300 ms. A
 * script that does not come is the error boundary's matter, once it is wanted.
 */
export function useLate<Props>(load: LoadComponent<Props>) {
  const [late, setLate] = useState<{ Component?: ComponentType<Props>; failure?: unknown }>({});
  if ("failure" in late) throw late.failure;
  return {
    Component: late.Component,
    loadAhead: () => {
      load().catch(() => {
        // Asked for again when it is wanted.
      });
    },
    want: () => {
      load().then(
        (Component) => setLate({ Component }),
        (failure) => setLate({ failure }),
      );
    },
  };
}
