import { useSyncExternalStore } from "react";

/** The breakpoint `lg` of the styles. */
const wide = "(width >= 64rem)";

/** Whether the window has room for two columns. The server renders pages for such windows. */
export function useWide(): boolean {
  return useSyncExternalStore(
    (notify) => {
      const query = window.matchMedia(wide);
      query.addEventListener("change", notify);
      return () => query.removeEventListener("change", notify);
    },
    () => window.matchMedia(wide).matches,
    () => true,
  );
}
