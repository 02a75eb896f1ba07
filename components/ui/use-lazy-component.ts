"use client";

import { type ComponentType, useState } from "react";
import { type LoadComponent, reportNotLoaded } from "./loading/load-or.ts";
import { toast } from "./toast/toast.ts";

/** What is shown if a script that is loaded on demand cannot be loaded. */
export const notLoadedMessage =
  "The page could not load all it needs. Check the connection and try again.";

/**
 * A component whose script is loaded on demand. `preload` starts loading, `show` also renders the
 * component when it is loaded. Does not use Suspense, because React delays suspended content by up to
 * 300 ms. If the script cannot be loaded, `show` says so and can be called again.
 */
export function useLazyComponent<Props>(load: LoadComponent<Props>) {
  const [loaded, setLoaded] = useState<{ Component?: ComponentType<Props> }>({});
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
        (error: unknown) => {
          reportNotLoaded(error);
          toast.error(notLoadedMessage);
        },
      );
    },
  };
}
