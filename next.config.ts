import type { NextConfig } from "next";

export default {
  poweredByHeader: false,
  // The same for the same sources: a page of one machine goes on with another's.
  generateBuildId: () => process.env.MEDIAMILL_BUILD_ID ?? null,
  reactStrictMode: true,
  // A path with a slash at its end is another path, and answered in our form of errors.
  skipTrailingSlashRedirect: true,
  // Types are checked by `npm run verify`, once, for the whole project.
  typescript: { ignoreBuildErrors: true },
  // Native or process-wide packages: loaded by Node as they are, and only where they are used.
  serverExternalPackages: [
    "@aws-sdk/client-s3",
    "@aws-sdk/lib-storage",
    "@aws-sdk/s3-request-presigner",
    "@node-rs/argon2",
    "busboy",
    "file-type",
    "fluent-ffmpeg",
    "nodemailer",
    "pg-boss",
    "pino",
    "pino-pretty",
    "postgres",
    "prom-client",
    "puppeteer",
    "sharp",
    "undici",
    "uploadthing",
  ],
  // Read as text while the docs are made.
  outputFileTracingIncludes: { "/*": ["./docs/**/*.md"] },
  images: { unoptimized: true },
  // How long, in seconds, what a link has loaded ahead may be shown: the least that Next.js allows.
  experimental: { staleTimes: { static: 30 } },
} satisfies NextConfig;
