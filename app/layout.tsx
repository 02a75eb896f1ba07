import type { Metadata, Viewport } from "next";
import localFont from "next/font/local";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { ThemeProvider } from "#components/theme/provider.tsx";
import { Toaster } from "#components/ui/toast/toaster.tsx";
import { env } from "#lib/env.ts";
import { nonceHeader } from "#lib/page-headers.ts";
import "./globals.css";

// `optional`: where a font arrives late, the page keeps the fallback, and no line moves. The `geist`
// package itself would swap fonts.
const GeistSans = localFont({
  src: "../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2",
  variable: "--font-geist-sans",
  weight: "100 900",
  display: "optional",
});
const GeistMono = localFont({
  src: "../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2",
  variable: "--font-geist-mono",
  weight: "100 900",
  display: "optional",
  adjustFontFallback: false,
});

export const metadata: Metadata = {
  metadataBase: new URL(env.APP_URL),
  title: { default: "Mediamill", template: "%s · Mediamill" },
  description: "Media processing over HTTP: convert and edit video, audio, images and documents.",
};

export const viewport: Viewport = {
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fbfaf7" },
    { media: "(prefers-color-scheme: dark)", color: "#121310" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get(nonceHeader) ?? undefined;
  return (
    // The theme script sets an attribute before hydration.
    <html
      lang="en"
      className={`${GeistSans.variable} ${GeistMono.variable}`}
      suppressHydrationWarning
    >
      <body className="font-sans antialiased">
        <ThemeProvider nonce={nonce}>
          {children}
          <Toaster />
        </ThemeProvider>
      </body>
    </html>
  );
}
