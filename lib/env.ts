import { join, resolve } from "node:path";
import { z } from "zod";

/**
 * The environment, parsed once. The only place that reads `process.env`; an unknown value stops the
 * start with one line that names the variable and what it may be.
 */

const optional = z.string().min(1).optional();

/** A whole number; the message says what is allowed, whatever is wrong with the text. */
function integer(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, error)
    .transform(Number)
    .pipe(z.number().min(min, error).max(max, error));
}

const schema = z.object({
  NODE_ENV: z.string().default("production"),
  PORT: integer(0, 65_535).default(3000),
  HOST: optional,
  APP_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .pipe(
      z.string().refine(isOrigin, "must have no path: the service lives at the root of its host"),
    )
    .optional(),
  DATA_DIR: z.string().min(1).default("./.data"),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must be a postgres:// address")
    .optional(),
  STORAGE: z.enum(["local", "s3", "uploadthing"]).default("local"),
  INNGEST_BASE_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .optional(),
  INNGEST_EVENT_KEY: optional,
  INNGEST_SIGNING_KEY: z
    .string()
    .regex(/^(signkey-\w+-)?([0-9a-f]{2})+$/i, "must be hexadecimal, as Inngest shows it")
    .optional(),
  SECRET: z.string().min(16, "must have at least 16 characters").optional(),
  FETCH_ALLOW: z
    .string()
    .default("")
    .transform((text) => text.split(",").map((entry) => entry.trim().toLowerCase()))
    .transform((entries) => entries.filter((entry) => entry !== ""))
    .refine(
      (entries) => entries.every(isHostAndPort),
      "must be a comma list of host:port, with ports from 1 to 65535",
    ),
  MEDIA_CONCURRENCY: integer(1, 256).optional(),
  JOB_TIMEOUT: integer(1, 86_400).default(3600),
  RETENTION_HOURS: z.coerce
    .number("must be a number of hours, more than 0 and at most 87600")
    .positive("must be a number of hours, more than 0 and at most 87600")
    .max(87_600, "must be a number of hours, more than 0 and at most 87600")
    .optional(),
  SIGN_UP: z.enum(["open", "closed"]).default("open"),
  SANDBOX: z.enum(["auto", "required", "off"]).default("auto"),
  TRUST_PROXY: integer(0, 32).default(0),
  S3_BUCKET: optional,
  S3_REGION: optional,
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_ACCESS_KEY_ID: optional,
  S3_SECRET_ACCESS_KEY: optional,
  UPLOADTHING_TOKEN: z
    .string()
    .refine(isUploadThingToken, "must be the whole token that the app's dashboard shows")
    .optional(),
  GITHUB_ID: optional,
  GITHUB_SECRET: optional,
  GITHUB_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https address" })
    .default("https://github.com"),
  GOOGLE_ID: optional,
  GOOGLE_SECRET: optional,
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\/[^\s/]/, "must be an smtp:// or smtps:// address")
    .optional(),
  SMTP_FROM: z
    .string()
    .regex(/^[^\r\n]*[^\s@]@[^\s@]+$/, "must be an e-mail address, or Name <address>")
    .optional(),
  METRICS_TOKEN: optional,
  LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"]).default("info"),
  /** Which part of the service this process is; set by whoever starts it. */
  MEDIAMILL_PART: z.string().default("web"),
});

/** Nothing behind the host but a slash. */
function isOrigin(address: string): boolean {
  const { pathname, search, hash } = new URL(address);
  return pathname === "/" && search === "" && hash === "";
}

function isHostAndPort(entry: string): boolean {
  const port = Number(/^(?:\[[0-9a-f:.]+\]|[^:\s/]+):(\d{1,5})$/.exec(entry)?.[1]);
  return port >= 1 && port <= 65_535;
}

/** Base64 of a JSON object with the app's key and id. */
function isUploadThingToken(token: string): boolean {
  const text = Buffer.from(token, "base64").toString();
  return /"apiKey":\s*"sk_/.test(text) && text.includes('"appId"');
}

/** Inngest's keys: both, or, for a development server at `INNGEST_BASE_URL`, none. */
const inngestKeys = ["INNGEST_EVENT_KEY", "INNGEST_SIGNING_KEY"] as const;

/** What each kind of storage cannot do without. */
const neededBy = {
  local: [],
  s3: ["S3_BUCKET", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY"],
  uploadthing: ["UPLOADTHING_TOKEN"],
} as const;

/** The first of each pair cannot do without the second. */
const together = [
  ["GITHUB_ID", "GITHUB_SECRET"],
  ["GITHUB_SECRET", "GITHUB_ID"],
  ["GOOGLE_ID", "GOOGLE_SECRET"],
  ["GOOGLE_SECRET", "GOOGLE_ID"],
  ["SMTP_URL", "SMTP_FROM"],
] as const;

export type Env = Omit<z.output<typeof schema>, "APP_URL" | "DATA_DIR"> & {
  /** Without a slash at the end. */
  readonly APP_URL: string;
  /** Absolute. */
  readonly DATA_DIR: string;
};

/** A variable whose value is not allowed; `message` is the one line to print. */
export class EnvError extends Error {
  override readonly name = "EnvError";
}

/** Parses `variables`; an empty value counts as unset. Throws `EnvError`. */
export function parseEnv(variables: Record<string, string | undefined>): Env {
  const given = Object.entries(variables).filter(([, value]) => value !== "");
  const parsed = schema.safeParse(Object.fromEntries(given));
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    const name = String(issue?.path[0]);
    const allowed =
      issue?.code === "invalid_value"
        ? `must be one of ${issue.values.join(", ")}`
        : issue?.message;
    throw new EnvError(`${name}: ${allowed}`);
  }
  const missing = neededBy[parsed.data.STORAGE].find((name) => parsed.data[name] === undefined);
  if (missing) throw new EnvError(`${missing}: must be set for STORAGE=${parsed.data.STORAGE}`);
  const lacking = inngestKeys.filter((name) => parsed.data[name] === undefined);
  if (lacking.length === 1) throw new EnvError(`${lacking[0]}: must be set where Inngest is used`);
  for (const [name, other] of together) {
    if (parsed.data[name] !== undefined && parsed.data[other] === undefined) {
      throw new EnvError(`${other}: must be set for ${name}`);
    }
  }
  const { APP_URL = `http://localhost:${parsed.data.PORT}`, DATA_DIR, ...rest } = parsed.data;
  return { ...rest, APP_URL: APP_URL.replace(/\/+$/, ""), DATA_DIR: resolve(DATA_DIR) };
}

export const env: Env = parseEnv(process.env);

/** Tells NextAuth, which reads the environment by itself, where it is. */
export function tellNextAuth(): void {
  process.env.NEXTAUTH_URL = `${env.APP_URL}/api/auth`;
}

/** An absolute path under `DATA_DIR`. */
export function dataPath(...parts: string[]): string {
  return join(/* turbopackIgnore: true */ env.DATA_DIR, ...parts);
}

/** A variable that must be set for what is asked of it; `parseEnv` has seen to it at the start. */
export function requireVariable(name: (typeof neededBy)["s3" | "uploadthing"][number]): string {
  const value = env[name];
  if (value === undefined) throw new EnvError(`${name}: must be set`);
  return value;
}
