"use client";

import { ThemeProvider as NextThemeProvider } from "next-themes";
import type { ReactNode } from "react";

interface ThemeProviderProps {
  /** The nonce of the page's content security policy, if it has one. */
  readonly nonce?: string | undefined;
  readonly children: ReactNode;
}

/** Stores the selected theme. Default, also without scripts: the system's theme. */
export function ThemeProvider({ nonce, children }: ThemeProviderProps) {
  return (
    <NextThemeProvider
      attribute="data-theme"
      enableColorScheme={false}
      disableTransitionOnChange
      {...(nonce === undefined ? {} : { nonce })}
    >
      {children}
    </NextThemeProvider>
  );
}
