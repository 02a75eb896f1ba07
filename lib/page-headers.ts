import { env } from "./env.ts";

const { origin: appOrigin, protocol } = new URL(env.APP_URL);
const isSecure = protocol === "https:";
const isDevelopment = env.NODE_ENV === "development";

/** What every answer carries, page or not: for browsers, and for two years where we are reached by https. */
export const answerHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  // Not "no-referrer": that would make browsers hide the origin of our own forms from us.
  "Referrer-Policy": "same-origin",
  ...(isSecure ? { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } : {}),
};

/** Under this name `proxy.ts` tells a page the nonce of its policy. */
export const nonceHeader = "x-nonce";

/**
 * What a page carries beside that. Scripts run by nonce alone, so every page is made for its request:
 * a page that was made before has no nonce, and a list of its scripts' hashes would hang on how Next.js
 * lays out what it builds. Styles are free, for React, Radix and sonner write them into elements.
 */
export function pageHeaders(nonce: string): Record<string, string> {
  return {
    "Content-Security-Policy": contentSecurityPolicy(nonce),
    "Permissions-Policy":
      "accelerometer=(), browsing-topics=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), midi=(), payment=(), usb=()",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
  };
}

function contentSecurityPolicy(nonce: string): string {
  // Our own files have absolute addresses, also for whoever reached the page by another name.
  const files = ["'self'", appOrigin, ...storeOrigins()].join(" ");
  const directives = [
    "default-src 'self'",
    // React's development build evaluates text for its stacks.
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    `img-src ${files} data: blob:`,
    `media-src ${files} blob:`,
    `connect-src ${files}${isDevelopment ? " ws:" : ""}`,
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    "frame-src 'none'",
    "object-src 'none'",
    "base-uri 'none'",
    // Chromium holds a form's redirects against this too, so the sign-in providers stand here.
    `form-action 'self' ${providerOrigins().join(" ")}`.trim(),
    "frame-ancestors 'none'",
    ...(isSecure ? ["upgrade-insecure-requests"] : []),
  ];
  return directives.join("; ");
}

/** Where the object store's signed addresses lie: browsers send uploads there. */
function storeOrigins(): string[] {
  if (env.STORAGE !== "s3") return [];
  if (env.S3_ENDPOINT) return [new URL(env.S3_ENDPOINT).origin];
  return [`https://${env.S3_BUCKET}.s3.${env.S3_REGION}.amazonaws.com`];
}

function providerOrigins(): string[] {
  return [
    ...(env.GITHUB_ID ? [new URL(env.GITHUB_URL).origin] : []),
    ...(env.GOOGLE_ID ? ["https://accounts.google.com"] : []),
  ];
}
