import { env } from "./env.ts";

const { origin: appOrigin, protocol } = new URL(env.APP_URL);
const isSecure = protocol === "https:";
const isDevelopment = env.NODE_ENV === "development";

/** Security headers of every response. HSTS lasts two years and is only sent if `APP_URL` is https. */
export const responseHeaders: Readonly<Record<string, string>> = {
  "X-Content-Type-Options": "nosniff",
  // "no-referrer" would make browsers hide the origin of the service's own forms.
  "Referrer-Policy": "same-origin",
  ...(isSecure ? { "Strict-Transport-Security": "max-age=63072000; includeSubDomains" } : {}),
};

/** The request header in which `proxy.ts` passes the nonce of the policy to a page. */
export const nonceHeader = "x-nonce";

/**
 * Additional headers of a page. Scripts need the nonce, so every page is rendered for its request: a
 * static page has no nonce, and hashes of its scripts would depend on the output format of Next.js.
 * Inline styles are allowed, because React, Radix and sonner set them on elements.
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
  // URLs of files are absolute with the origin of `APP_URL`, also on pages with another host name.
  const files = ["'self'", appOrigin, ...storageOrigins()].join(" ");
  const directives = [
    "default-src 'self'",
    // The development build of React uses eval for stack traces.
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
    // Chromium also applies this to redirects of a form, so it includes the sign-in providers.
    `form-action 'self' ${providerOrigins().join(" ")}`.trim(),
    "frame-ancestors 'none'",
    ...(isSecure ? ["upgrade-insecure-requests"] : []),
  ];
  return directives.join("; ");
}

/** The origins of signed URLs of the object store, to which browsers upload files. */
function storageOrigins(): string[] {
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
