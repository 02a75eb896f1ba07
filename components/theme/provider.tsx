"use client";

import { ThemeProvider as NextThemeProvider } from "next-themes";
import type { ReactNode } from "react";

interface ThemeProviderProps {
  /** Of the page's content security policy, where it has one. */
  readonly nonce?: string | undefined;
  readonly children: ReactNode;
}

/** Keeps the reader's choice of light or dark; without one, and without scripts, the system's. */
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
