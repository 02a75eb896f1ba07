import { join, resolve } from "node:path";
import { z } from "zod";
import { engineGroups } from "./engine-groups.ts";
import { isHost, parseAllowedHost } from "./fetch-url.ts";
import { planNames } from "./plans.ts";

/**
 * The environment, parsed once. The only module that reads `process.env`. An invalid value stops the
 * start with one line: the variable and its allowed values.
 */

const optional = z.string().min(1).optional();

/** An integer. Every error has the same message, which gives the allowed range. */
function integer(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error));
}

const httpUrl = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });

const postgresUrl = z.string().regex(/^postgres(ql)?:\/\//, "must be a postgres:// URL");

/** Entries between commas, in lower case. */
const list = z
  .string()
  .default("")
  .transform((text) => text.split(",").map((entry) => entry.trim().toLowerCase()))
  .transform((entries) => entries.filter((entry) => entry !== ""));

/** Hexadecimal texts between commas. */
const hexList = list.refine(
  (entries) => entries.every((entry) => /^(?:[0-9a-f]{2})+$/.test(entry)),
  "must be a comma-separated list of hexadecimal texts",
);

const hours = "must be a number of hours, more than 0 and at most 87600";

const days = "must be an integer of days from 1 to 36500, or forever";

const schema = z.object({
  NODE_ENV: z.string().default("production"),
  PORT: integer(0, 65_535).default(3000),
  HOST: optional,
  HEALTH_PORT: integer(1, 65_535).optional(),
  APP_URL: httpUrl
    .pipe(
      z
        .string()
        .refine(isOrigin, "must have no path: the service runs at the root path of its host"),
    )
    .optional(),
  DATA_DIR: z.string().min(1).default("./.data"),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_LISTEN_URL: postgresUrl.optional(),
  DATABASE_POOL: integer(1, 500).optional(),
  STORAGE: z.enum(["local", "s3", "uploadthing"]).default("local"),
  DOWNLOADS: z.enum(["redirect", "proxy"]).default("redirect"),
  FORM_BYTES: integer(1_000_000, 999_999_999).optional(),
  INNGEST_BASE_URL: httpUrl.optional(),
  INNGEST_EVENT_KEY: optional,
  INNGEST_SIGNING_KEY: z
    .string()
    .regex(/^(signkey-\w+-)?([0-9a-f]{2})+$/i, "must be a hexadecimal key, as Inngest shows it")
    .optional(),
  SECRET: z.string().min(16, "must have at least 16 characters").optional(),
  SECRET_PREVIOUS: z.string().min(16, "must have at least 16 characters").optional(),
  FETCH_ALLOW: list.superRefine((entries, context) => {
    const problem = entries.map(parseAllowedHost).find((parsed) => typeof parsed === "string");
    if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
  }),
  ALLOWED_HOSTS: list.refine(
    (entries) => entries.every(isHost),
    "must be a comma-separated list of host names or IP addresses, each with or without a port",
  ),
  MEDIA_CONCURRENCY: integer(1, 256).optional(),
  MEDIA_ENGINES: z.enum(engineGroups).default("all"),
  JOB_TIMEOUT: integer(1, 86_400).default(3600),
  OCR_LANGUAGES: z
    .string()
    .default("")
    .transform((text) =>
      text
        .toLowerCase()
        .replaceAll("_", "-")
        .split(/[\s,+]+/),
    )
    .transform((codes) => codes.filter((code) => code !== ""))
    .refine(
      (codes) => codes.every((code) => /^[a-z]{3}(-[a-z]{3,5}){0,2}$/.test(code)),
      "must be a comma-separated list of tesseract's language codes, such as swe,ces",
    ),
  FFMPEG_HWACCEL: z.enum(["none", "auto", "vaapi", "nvenc", "qsv"]).default("none"),
  RETENTION_HOURS: z.coerce.number(hours).positive(hours).max(87_600, hours).optional(),
  JOB_RETENTION_DAYS: z
    .string()
    .regex(/^(forever|[1-9]\d{0,4})$/, days)
    .refine((text) => text === "forever" || Number(text) <= 36_500, days)
    .transform((text) => (text === "forever" ? text : Number(text)))
    .default(365),
  SIGN_UP: z.enum(["open", "closed"]).default("open"),
  NEW_ACCOUNT_PLAN: z.enum(planNames).optional(),
  TRY_IT: z.enum(["on", "off"]).optional(),
  STATUS_CHECKS: z.enum(["on", "off"]).default("on"),
  SANDBOX: z.enum(["auto", "required", "full", "strict", "off"]).default("auto"),
  ENGINE_ISOLATION: z.enum(["shared", "account"]).default("shared"),
  ENGINE_IDLE_SECONDS: integer(0, 86_400).default(300),
  TRUST_PROXY: integer(0, 32).default(0),
  S3_BUCKET: optional,
  S3_REGION: optional,
  S3_ENDPOINT: httpUrl.optional(),
  S3_ACCESS_KEY_ID: optional,
  S3_SECRET_ACCESS_KEY: optional,
  UPLOADTHING_TOKEN: z
    .string()
    .refine(isUploadThingToken, "must be the complete token that UploadThing's dashboard shows")
    .optional(),
  GITHUB_ID: optional,
  GITHUB_SECRET: optional,
  GITHUB_URL: httpUrl.default("https://github.com"),
  GOOGLE_ID: optional,
  GOOGLE_SECRET: optional,
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^\s/]/, "must be an smtp:// or smtps:// URL")
    .optional(),
  SMTP_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@]@[^\s@]+$/, "must be an email address, or Name <address>")
    .optional(),
  METRICS_TOKEN: optional,
  TRANSCRIBE_URL: httpUrl
    .pipe(z.string().refine(hasNoCredentials, "must not contain a user name or password"))
    .optional(),
  TRANSCRIBE_KEY: z
    .string()
    .regex(/^[\x21-\x7e]+$/, "must have only printable ASCII characters")
    .optional(),
  TRANSCRIBE_MODEL: z.string().min(1).max(200).default("whisper-1"),
  TIMESTAMP_URL: httpUrl
    .pipe(z.string().refine(hasNoCredentials, "must not contain a user name or password"))
    .optional(),
  SIGNATURE_ROOTS: optional,
  IMAGE_CACHE_BYTES: z
    .string()
    .regex(/^\d{1,15}$/, "must be an integer of bytes, or 0 for no cache")
    .transform(Number)
    .default(1_000_000_000),
  IMGPROXY_PORT: integer(0, 65_535).optional(),
  IMGPROXY_API_KEY: optional,
  IMGPROXY_KEY: hexList,
  IMGPROXY_SALT: hexList,
  IMGPROXY_PRESETS: optional,
  IMGPROXY_WATERMARK_URL: httpUrl.optional(),
  IMGPROXY_ENABLE_CLIENT_HINTS: z
    .enum(["true", "false"])
    .default("false")
    .transform((text) => text === "true"),
  /** The variable that is `1` on Vercel, which sets it and the hosts of the deployment. */
  VERCEL: optional,
  VERCEL_URL: optional,
  VERCEL_BRANCH_URL: optional,
  VERCEL_PROJECT_PRODUCTION_URL: optional,
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: optional,
  OTEL_EXPORTER_OTLP_PROTOCOL: z.enum(["http/protobuf"]).default("http/protobuf"),
  OTEL_SDK_DISABLED: z
    .enum(["true", "false"])
    .default("false")
    .transform((text) => text === "true"),
  OTEL_SERVICE_NAME: optional,
  OTEL_TRACES_SAMPLER: z
    .enum([
      "always_on",
      "always_off",
      "traceidratio",
      "parentbased_always_on",
      "parentbased_always_off",
      "parentbased_traceidratio",
    ])
    .default("parentbased_always_on"),
  OTEL_TRACES_SAMPLER_ARG: z
    .string()
    .refine((text) => Number(text) >= 0 && Number(text) <= 1, "must be a number from 0 to 1")
    .optional(),
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  GOTENBERG_PORT: integer(1, 65_535).optional(),
  GOTENBERG_API_KEY: z
    .string()
    .regex(/^mm_(?:live|test)_\w{36}$/, "must be an API key of this service")
    .optional(),
  /** The service that this process runs, such as `web` or `media`. The starting process sets it. */
  MEDIAMILL_SERVICE: z.string().default("web"),
  /** The Unix socket of the embedded database. The starting process sets it. */
  MEDIAMILL_DATABASE_SOCKET: optional,
});

/** The names of all variables. */
export const settingNames: readonly string[] = Object.keys(schema.shape);

function hasNoCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username === "" && password === "";
}

/** Whether a URL ends after its host, but for a slash. */
function isOrigin(url: string): boolean {
  const { pathname, search, hash } = new URL(url);
  return pathname === "/" && search === "" && hash === "";
}

/** Whether the text is Base64 of a JSON object with the app's key and id. */
function isUploadThingToken(token: string): boolean {
  const text = Buffer.from(token, "base64").toString();
  return /"apiKey":\s*"sk_/.test(text) && text.includes('"appId"');
}

/** Inngest's keys: both, or none for a development server at `INNGEST_BASE_URL`. */
const inngestKeys = ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"] as const;

/** The variables that each kind of storage requires. */
const requiredByStorage = {
  local: [],
  s3: ["S3_BUCKET", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
  uploadthing: ["UPLOADTHING_TOKEN"],
} as const;

/** If the first variable of a pair is set, the second must be set too. */
const requiredTogether = [
  ["GITHUB_ID", "GITHUB_SECRET"],
  ["GITHUB_SECRET", "GITHUB_ID"],
  ["GOOGLE_ID", "GOOGLE_SECRET"],
  ["GOOGLE_SECRET", "GOOGLE_ID"],
  ["SMTP_URL", "SMTP_FROM"],
  ["DATABASE_LISTEN_URL", "DATABASE_URL"],
] as const;

/** What a form may have on Vercel, which refuses bodies above 4.5 MB: less, because a form has more than its files. */
const vercelFormBytes = 4_000_000;

export type Env = Omit<z.output<typeof schema>, "APP_URL" | "DATA_DIR" | "DATABASE_POOL"> & {
  /** The URL without a trailing slash. */
  readonly APP_URL: string;
  /** An absolute path. */
  readonly DATA_DIR: string;
  /** The most connections for statements: few on Vercel, which may run many instances. */
  readonly DATABASE_POOL: number;
};

/** A missing or invalid variable; `message` is the one line to print. */
export class EnvError extends Error {
  override readonly name = "EnvError";
}

/** Parses `variables`; an empty value counts as unset. Throws `EnvError`. */
export function parseEnv(variables: Record<string, string | undefined>): Env {
  const nonEmpty = Object.entries(variables).filter(([, value]) => value !== "");
  const parsed = schema.safeParse(Object.fromEntries(nonEmpty));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0]);
    const allowed =
      issue?.code === "invalid_value"
        ? `must be one of ${issue.values.join(", ")}`
        : issue?.message;
    throw new EnvError(`${name}: ${allowed}`);
  }
  const missing = requiredByStorage[parsed.data.STORAGE].find(
    (name) => parsed.data[name] === undefined,
  );
  if (missing) throw new EnvError(`${missing}: must be set for STORAGE=${parsed.data.STORAGE}`);
  const missingKeys = inngestKeys.filter((name) => parsed.data[name] === undefined);
  if (missingKeys.length === 1) {
    throw new EnvError(`${missingKeys[0]}: must be set when Inngest is used`);
  }
  const usesInngest = parsed.data.INNGEST_BASE_URL ?? parsed.data.INNGEST_EVENT_KEY;
  if (usesInngest !== undefined && parsed.data.MEDIA_ENGINES !== "all") {
    // Its runs go to any runner, and one that cannot use a run would lose it.
    throw new EnvError("MEDIA_ENGINES: must be all when Inngest is used");
  }
  for (const [name, other] of requiredTogether) {
    if (parsed.data[name] !== undefined && parsed.data[other] === undefined) {
      throw new EnvError(`${other}: must be set when ${name} is set`);
    }
  }
  const { IMGPROXY_PORT, IMGPROXY_API_KEY, IMGPROXY_KEY, IMGPROXY_SALT } = parsed.data;
  if (IMGPROXY_PORT !== undefined && IMGPROXY_API_KEY === undefined) {
    throw new EnvError("IMGPROXY_API_KEY: must be set when IMGPROXY_PORT is set");
  }
  if (IMGPROXY_KEY.length !== IMGPROXY_SALT.length) {
    throw new EnvError("IMGPROXY_SALT: must have as many entries as IMGPROXY_KEY");
  }
  const { APP_URL = `http://localhost:${parsed.data.PORT}`, DATA_DIR, ...rest } = parsed.data;
  const onVercel = rest.VERCEL !== undefined;
  return {
    ...rest,
    FORM_BYTES: rest.FORM_BYTES ?? (onVercel ? vercelFormBytes : undefined),
    APP_URL: APP_URL.replace(/\/+$/, ""),
    DATA_DIR: resolve(DATA_DIR),
    DATABASE_POOL: rest.DATABASE_POOL ?? (onVercel ? 2 : 10),
  };
}

export const env: Env = parseEnv(process.env);

/** The prefixes of Gotenberg's variables. */
const gotenbergPrefix = /^(?:API|CHROMIUM|GOTENBERG|LIBREOFFICE|PDFENGINES|PROMETHEUS|WEBHOOK)_/;

/** The variables of Gotenberg, which `lib/gotenberg` reads. Other services may have set some of these names. */
export function gotenbergVariables(): ReadonlyMap<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    gotenbergPrefix.test(name) && value !== undefined ? [[name, value] as const] : [],
  );
  return new Map(entries);
}

/** Sets the service's URL for NextAuth, which reads it from the environment. */
export function setNextAuthUrl(): void {
  process.env.NEXTAUTH_URL = `${env.APP_URL}/api/auth`;
}

/** An absolute path under `DATA_DIR`. */
export function dataPath(...parts: string[]): string {
  return join(/* turbopackIgnore: true */ env.DATA_DIR, ...parts);
}

/** A storage variable that must be set. Throws `EnvError`; `parseEnv` has checked it at the start. */
export function requireVariable(
  name: (typeof requiredByStorage)["s3" | "uploadthing"][number],
): string {
  const value = env[name];
  if (value === undefined) throw new EnvError(`${name}: must be set`);
  return value;
}
