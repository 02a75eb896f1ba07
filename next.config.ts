import type { NextConfig } from "next";

export default {
  poweredByHeader: false,
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
    "pg-boss",
    "pino",
    "pino-pretty",
    "postgres",
    "puppeteer",
    "sharp",
    "undici",
    "uploadthing",
  ],
  images: { unoptimized: true },
} satisfies NextConfig;
