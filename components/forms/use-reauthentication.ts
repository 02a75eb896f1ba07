"use client";

import { createContext, useCallback, useContext } from "react";
import type { NeedsReauthentication } from "#lib/auth/next-auth/credentials.ts";

/** Asks the user to show who they are. False if the user does not. `ReauthenticationProvider` has the dialog. */
export const ReauthenticationContext = createContext<() => Promise<boolean>>(async () => false);

/**
 * A function that does an action and, if the action needs it, asks the user who they are and does it again.
 * Resolves with undefined if the user closes the dialog.
 */
export function useReauthentication() {
  const ask = useContext(ReauthenticationContext);
  return useCallback(
    async <Result>(act: () => Promise<Result | NeedsReauthentication>) => {
      const first = await act();
      if (!isNeeded(first)) return first;
      if (!(await ask())) return undefined;
      const second = await act();
      return isNeeded(second) ? undefined : second;
    },
    [ask],
  );
}

function isNeeded(result: unknown): result is NeedsReauthentication {
  return (
    typeof result === "object" &&
    result !== null &&
    "needsReauthentication" in result &&
    result.needsReauthentication === true
  );
}
