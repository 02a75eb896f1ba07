/**
 * Which layers a layer may import from, in addition to itself, packages and the leaf files of
 * `lib`.
 */
export type ImportRule = readonly string[];

const leaves = ["lib/db", "lib/media", "lib/net", "lib/quotas", "lib/storage"] as const;

export const importRules = {
  app: [
    "components",
    "inngest",
    "lib/api",
    "lib/auth",
    "lib/jobs",
    "lib/operations",
    "lib/quotas",
    "lib/media",
    "lib/db",
    "lib/webhooks",
    "lib/operator",
  ],
  components: [
    "lib/api",
    "lib/auth",
    "lib/jobs",
    "lib/operations",
    "lib/quotas",
    "lib/media",
    "lib/limits",
    "lib/db",
    "lib/operator",
  ],
  inngest: ["lib/jobs", "lib/webhooks", "lib/queue", "lib/db"],
  "lib/server": ["lib/api", "lib/net", "scripts/setup"],
  "lib/supervisor": [
    "lib/api",
    "lib/auth",
    "lib/engines",
    "lib/db",
    "lib/queue",
    "lib/server",
    "scripts",
    "scripts/setup",
  ],
  "lib/operator": ["lib/api", "lib/auth", "lib/jobs", "lib/engines", ...leaves],
  "lib/api": [
    "packages",
    "lib/webhooks",
    "lib/jobs",
    "lib/operations",
    "lib/auth",
    "lib/limits",
    ...leaves,
  ],
  "lib/jobs": [
    "lib/operations",
    "lib/engines",
    "lib/limits",
    "lib/mail",
    "lib/queue",
    "lib/webhooks",
    ...leaves,
  ],
  "lib/operations": ["lib/engines", "lib/limits", "lib/media"],
  "lib/engines": ["lib/scrub", "lib/limits", "lib/media", "lib/net"],
  "lib/scrub": ["lib/limits", "lib/media"],
  "lib/auth": ["lib/db", "lib/mail", "lib/net", "lib/webhooks", "lib/quotas"],
  "lib/webhooks": ["lib/db", "lib/net", "lib/queue"],
  "lib/queue": ["lib/db"],
  "lib/db": ["lib/media"],
  "lib/quotas": ["lib/db"],
  "lib/storage": ["lib/db", "lib/net"],
  "lib/limits": [],
  "lib/mail": [],
  "lib/net": [],
  "lib/media": [],
} as const satisfies Record<string, ImportRule>;

/**
 * The subfolders of a layer, lowest first; `.` is the files directly in it. Each may import those
 * before it.
 */
export const subfolderOrder: Readonly<Record<string, readonly string[]>> = {
  "lib/engines": [
    "sandbox",
    "partial",
    "warm",
    "archive",
    "faces",
    "image",
    "barcode",
    "office",
    "subtitles",
    "worker",
    "rich-text",
    "package",
    "mail",
    "markdown",
    "template",
    "liquid",
    "ffmpeg",
    "exiftool",
    "transcription",
    "import",
    "pdf",
    "jxl",
    "tesseract",
    "chromium",
    "libreoffice",
    "to-pdf",
    ".",
  ],
  "lib/operations": [".", "fields", "audio", "document", "image", "pipeline", "video", "catalogue"],
  "lib/jobs": [".", "view", "follow", "accept", "run", "actions", "status", "runner"],
  "lib/db": ["schema", ".", "queries"],
  "lib/api": ["definition", "request-log", "http", "job-creation", "openapi", "endpoints", "mcp"],
};
