import { env, gotenbergVariables } from "#lib/env.ts";
import { isPublicAddress } from "#lib/net/guard.ts";
import { parseBool, parseByteCount, parseDuration } from "./go-values.ts";
import { readFlags } from "./variables.ts";

/** Routes that the operator can turn off together. */
export type RouteGroup = "chromium" | "libreoffice" | "pdfengines";

/** Pages of the port that the operator can have in the log. */
export type LoggedPage = "health" | "root" | "version" | "debug" | "metrics";

/** URLs that Gotenberg's lists of regular expressions allow and deny. */
export interface UrlRules {
  readonly allow: readonly RegExp[];
  readonly deny: readonly RegExp[];
  /** Whether hosts that the operator allows with `FETCH_ALLOW` must be public too. */
  readonly deniesPrivate: boolean;
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
  /** Pages of the port whose requests are not in the log. */
  readonly unlogged: ReadonlySet<LoggedPage>;
  readonly debug: {
    readonly isEnabled: boolean;
    /** The variables that have an effect, as options of Gotenberg's command; undefined if they are not shown. */
    readonly flags: Readonly<Record<string, string>> | undefined;
  };
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

/** The longest time of a timer of Node.js, 24 days. It would end at once after a longer one. */
const maxTimerMs = 2 ** 31 - 1;

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
  const duration = (name: string, seconds: number) =>
    read(name, seconds * 1000, (text) => Math.min(parseDuration(text), maxTimerMs));
  const rules = (prefix: string, deny: readonly RegExp[] = []): UrlRules => ({
    allow: read(`${prefix}_ALLOW_LIST`, [], parsePatterns),
    deny: read(`${prefix}_DENY_LIST`, deny, parsePatterns),
    deniesPrivate: bool(`${prefix}_DENY_PRIVATE_IPS`),
  });
  const rootPath = read("API_ROOT_PATH", "/", parseRootPath);
  const unlogged = (page: LoggedPage, ...names: string[]): LoggedPage[] =>
    names.reduce((preset, name) => bool(name, preset), true) ? [page] : [];
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
    unlogged: new Set([
      ...unlogged(
        "health",
        "API_DISABLE_HEALTH_CHECK_LOGGING",
        "API_DISABLE_HEALTH_CHECK_ROUTE_TELEMETRY",
      ),
      ...unlogged("root", "API_DISABLE_ROOT_ROUTE_TELEMETRY"),
      ...unlogged("version", "API_DISABLE_VERSION_ROUTE_TELEMETRY"),
      ...unlogged("debug", "API_DISABLE_DEBUG_ROUTE_TELEMETRY"),
      ...unlogged(
        "metrics",
        "PROMETHEUS_DISABLE_ROUTE_LOGGING",
        "PROMETHEUS_DISABLE_ROUTE_TELEMETRY",
      ),
    ]),
    debug: {
      isEnabled: bool("API_ENABLE_DEBUG_ROUTE"),
      flags: bool("GOTENBERG_BUILD_DEBUG_DATA", true) ? readFlags(variables) : undefined,
    },
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
export function isAllowedUrl(url: string, { allow, deny, deniesPrivate }: UrlRules): boolean {
  // As in Gotenberg, a list that names the URL counts more.
  if (deniesPrivate && allow.length === 0 && isPrivate(url)) return false;
  const isListed = allow.length === 0 || allow.some((pattern) => pattern.test(url));
  return isListed && !deny.some((pattern) => pattern.test(url));
}

/** Whether the host is a private address, or this machine. */
function isPrivate(url: string): boolean {
  const host = (URL.parse(url)?.hostname ?? "").replace(/^\[|\]$/g, "");
  const isAddress = /^[\d.]+$/.test(host) || host.includes(":");
  return isAddress ? !isPublicAddress(host) : /^(?:.+\.)?localhost\.?$/.test(host);
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
