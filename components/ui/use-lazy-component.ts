"use client";

import { type ComponentType, useState } from "react";

/** Loads a component's script. */
export type LoadComponent<Props> = () => Promise<ComponentType<Props>>;

/**
 * A component whose script is loaded on demand. `preload` starts loading, `show` also renders the
 * component when it is loaded. Does not use Suspense, because React delays suspended content by up to
 * 300 ms. If the script cannot be loaded, `show` makes the hook throw to the error boundary.
 */
export function useLazyComponent<Props>(load: LoadComponent<Props>) {
  const [loaded, setLoaded] = useState<{ Component?: ComponentType<Props>; failure?: unknown }>({});
  if ("failure" in loaded) throw loaded.failure;
  return {
    Component: loaded.Component,
    preload: () => {
      load().catch(() => {
        // `show` tries again.
      });
    },
    show: () => {
      load().then(
        (Component) => setLoaded({ Component }),
        (failure) => setLoaded({ failure }),
      );
    },
  };
}
