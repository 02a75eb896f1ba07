import { env, gotenbergVariables } from "#lib/env.ts";
import { parseBool, parseByteCount, parseDuration } from "./go-values.ts";

/** Routes that the operator can turn off together. */
export type RouteGroup = "chromium" | "libreoffice" | "pdfengines";

/** URLs that Gotenberg's lists of regular expressions allow and deny. */
export interface UrlRules {
  readonly allow: readonly RegExp[];
  readonly deny: readonly RegExp[];
}

/** What Gotenberg's variables mean here. */
export interface GotenbergSettings {
  /** Begins and ends with a slash. */
  readonly rootPath: string;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number | undefined;
  readonly traceHeader: string;
  readonly basicAuth: { readonly username: string; readonly password: string } | undefined;
  /** Whether every request must have a key of its own. */
  readonly requiresKey: boolean;
  readonly downloads: UrlRules & { readonly isDisabled: boolean; readonly retries: number };
  readonly webhooks: WebhookSettings;
  readonly pages: UrlRules & { readonly runsScripts: boolean };
  readonly disabled: ReadonlySet<RouteGroup>;
  readonly metrics: {
    readonly namespace: string;
    readonly path: string;
    readonly isDisabled: boolean;
  };
}

export interface WebhookSettings extends UrlRules {
  readonly isDisabled: boolean;
  readonly isSynchronous: boolean;
  readonly retries: number;
  readonly minWaitMs: number;
  readonly maxWaitMs: number;
  readonly timeoutMs: number;
}

/** A variable with a value that Gotenberg does not accept. */
export class GotenbergSettingsError extends Error {
  override readonly name = "GotenbergSettingsError";
}

/** Parses the variables; an empty value counts as unset. Throws `GotenbergSettingsError`. */
export function parseSettings(variables: ReadonlyMap<string, string>): GotenbergSettings {
  const read = <Value>(name: string, preset: Value, parse: (text: string) => Value): Value => {
    const text = variables.get(name);
    if (!text) return preset;
    try {
      return parse(text);
    } catch (cause) {
      const problem = cause instanceof Error ? cause.message : String(cause);
      throw new GotenbergSettingsError(`${name}: ${problem}`, { cause });
    }
  };
  const text = (name: string, preset: string) => read(name, preset, String);
  const bool = (name: string, preset = false) => read(name, preset, parseBool);
  const duration = (name: string, seconds: number) => read(name, seconds * 1000, parseDuration);
  const rules = (prefix: string, deny: readonly RegExp[] = []): UrlRules => ({
    allow: read(`${prefix}_ALLOW_LIST`, [], parsePatterns),
    deny: read(`${prefix}_DENY_LIST`, deny, parsePatterns),
  });
  const rootPath = read("API_ROOT_PATH", "/", parseRootPath);
  const group = (name: string, key: RouteGroup): RouteGroup[] => (bool(name) ? [key] : []);
  return {
    rootPath,
    timeoutMs: duration("API_TIMEOUT", 30),
    maxBodyBytes: read("API_BODY_LIMIT", undefined, parseByteCount),
    traceHeader: text("API_CORRELATION_ID_HEADER", text("API_TRACE_HEADER", "Gotenberg-Trace")),
    basicAuth: bool("API_ENABLE_BASIC_AUTH")
      ? {
          username: text("GOTENBERG_API_BASIC_AUTH_USERNAME", ""),
          password: text("GOTENBERG_API_BASIC_AUTH_PASSWORD", ""),
        }
      : undefined,
    requiresKey: bool("API_ENABLE_OIDC_AUTH"),
    downloads: {
      ...rules("API_DOWNLOAD_FROM"),
      isDisabled: bool("API_DISABLE_DOWNLOAD_FROM"),
      retries: read("API_DOWNLOAD_FROM_MAX_RETRY", 4, parseCount),
    },
    webhooks: {
      ...rules("WEBHOOK"),
      isDisabled: bool("WEBHOOK_DISABLE"),
      isSynchronous: bool("WEBHOOK_ENABLE_SYNC_MODE"),
      retries: read("WEBHOOK_MAX_RETRY", 4, parseCount),
      minWaitMs: duration("WEBHOOK_RETRY_MIN_WAIT", 1),
      maxWaitMs: duration("WEBHOOK_RETRY_MAX_WAIT", 30),
      timeoutMs: duration("WEBHOOK_CLIENT_TIMEOUT", 30),
    },
    pages: {
      ...rules("CHROMIUM", [/^file:(?!\/\/\/tmp\/).*/]),
      runsScripts: !bool("CHROMIUM_DISABLE_JAVASCRIPT"),
    },
    disabled: new Set([
      ...group("CHROMIUM_DISABLE_ROUTES", "chromium"),
      ...group("LIBREOFFICE_DISABLE_ROUTES", "libreoffice"),
      ...group("PDFENGINES_DISABLE_ROUTES", "pdfengines"),
    ]),
    metrics: {
      namespace: text("PROMETHEUS_NAMESPACE", "gotenberg"),
      path: text("PROMETHEUS_METRICS_PATH", "/prometheus/metrics"),
      isDisabled: bool("PROMETHEUS_DISABLE_COLLECT"),
    },
  };
}

let settings: GotenbergSettings | undefined;

/** The settings of this process. Without a port of its own, Gotenberg's variables do not count. */
export function gotenbergSettings(): GotenbergSettings {
  settings ??= parseSettings(env.GOTENBERG_PORT ? gotenbergVariables() : new Map());
  return settings;
}

/** Whether the lists allow a URL. */
export function isAllowedUrl(url: string, { allow, deny }: UrlRules): boolean {
  const isListed = allow.length === 0 || allow.some((pattern) => pattern.test(url));
  return isListed && !deny.some((pattern) => pattern.test(url));
}

function parsePatterns(text: string): RegExp[] {
  return text
    .split(",")
    .filter((pattern) => pattern !== "")
    .map((pattern) => new RegExp(pattern));
}

function parseCount(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new Error("must be a number from 0 to 999");
}

function parseRootPath(text: string): string {
  if (text.startsWith("/") && text.endsWith("/")) return text;
  throw new Error("must begin and end with a slash");
}

/** Variables that have an effect. */
const supported: ReadonlySet<string> = new Set([
  "GOTENBERG_PORT",
  "GOTENBERG_API_KEY",
  "GOTENBERG_API_BASIC_AUTH_USERNAME",
  "GOTENBERG_API_BASIC_AUTH_PASSWORD",
  "API_ROOT_PATH",
  "API_TIMEOUT",
  "API_BODY_LIMIT",
  "API_CORRELATION_ID_HEADER",
  "API_TRACE_HEADER",
  "API_ENABLE_BASIC_AUTH",
  "API_BIND_IP",
  "API_DOWNLOAD_FROM_ALLOW_LIST",
  "API_DOWNLOAD_FROM_DENY_LIST",
  "API_DOWNLOAD_FROM_MAX_RETRY",
  "API_DISABLE_DOWNLOAD_FROM",
  "WEBHOOK_ALLOW_LIST",
  "WEBHOOK_DENY_LIST",
  "WEBHOOK_DISABLE",
  "WEBHOOK_ENABLE_SYNC_MODE",
  "WEBHOOK_MAX_RETRY",
  "WEBHOOK_RETRY_MIN_WAIT",
  "WEBHOOK_RETRY_MAX_WAIT",
  "WEBHOOK_CLIENT_TIMEOUT",
  "CHROMIUM_ALLOW_LIST",
  "CHROMIUM_DENY_LIST",
  "CHROMIUM_DISABLE_JAVASCRIPT",
  "CHROMIUM_DISABLE_ROUTES",
  "LIBREOFFICE_DISABLE_ROUTES",
  "PDFENGINES_DISABLE_ROUTES",
  "PROMETHEUS_NAMESPACE",
  "PROMETHEUS_METRICS_PATH",
  "PROMETHEUS_DISABLE_COLLECT",
  // The address guard always does this.
  "API_DOWNLOAD_FROM_DENY_PRIVATE_IPS",
  "CHROMIUM_DENY_PRIVATE_IPS",
  "LIBREOFFICE_DENY_PRIVATE_IPS",
  "WEBHOOK_DENY_PRIVATE_IPS",
]);

/** Variables of Gotenberg that are set and have no effect here, one sentence each. */
export function ineffectiveVariables(variables: ReadonlyMap<string, string>): string[] {
  return [...variables]
    .filter(([name, value]) => value !== "" && !supported.has(name))
    .map(([name]) =>
      name === "API_ENABLE_OIDC_AUTH"
        ? `${name}: tokens of OpenID Connect are not supported; every request must have an API key.`
        : `${name} has no effect here.`,
    );
}
