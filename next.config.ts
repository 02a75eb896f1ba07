import type { NextConfig } from "next";

export default {
  poweredByHeader: false,
  // The same id for the same sources, so that a page loaded from one machine works with another.
  generateBuildId: () => process.env.MEDIAMILL_BUILD_ID ?? null,
  reactStrictMode: true,
  // A path with a trailing slash is a different path: no redirect, so that our 404 is returned.
  skipTrailingSlashRedirect: true,
  // `npm run verify` checks the types of the whole project.
  typescript: { ignoreBuildErrors: true },
  // Native packages, and packages with process-wide state: Node loads them unbundled.
  serverExternalPackages: [
    "@aws-sdk/client-s3",
    "@aws-sdk/lib-storage",
    "@aws-sdk/s3-request-presigner",
    "@node-rs/argon2",
    "blurhash",
    "busboy",
    "bwip-js",
    "file-type",
    "fluent-ffmpeg",
    "nodemailer",
    "pino",
    "pino-pretty",
    "postgres",
    "prom-client",
    "puppeteer",
    "sharp",
    "thumbhash",
    "undici",
    "uploadthing",
    "zxing-wasm",
  ],
  // The docs pages read these files at run time.
  outputFileTracingIncludes: { "/*": ["./docs/**/*.md"] },
  // Each page of the docs is also served as Markdown.
  rewrites: async () => [
    { source: "/docs.md", destination: "/docs-markdown" },
    { source: "/docs/:path(.+)\\.md", destination: "/docs-markdown/:path" },
  ],
  images: { unoptimized: true },
  experimental: {
    // Seconds for which a prefetched page may be shown: the minimum that Next.js allows.
    staleTimes: { static: 30 },
    // Both take more time than the rest of the build. The server's code is read from the disk once, and
    // its stack traces are for the log only.
    turbopackSourceMaps: false,
    serverMinification: false,
    // A build on a new machine has no cache to read, and writing it takes longer than it saves later.
    turbopackFileSystemCacheForBuild: false,
  },
} satisfies NextConfig;
