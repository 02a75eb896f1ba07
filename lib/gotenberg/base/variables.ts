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
  "API_DISABLE_HEALTH_CHECK_LOGGING",
  "API_DISABLE_HEALTH_CHECK_ROUTE_TELEMETRY",
  "API_DISABLE_ROOT_ROUTE_TELEMETRY",
  "API_DISABLE_VERSION_ROUTE_TELEMETRY",
  "API_DISABLE_DEBUG_ROUTE_TELEMETRY",
  "API_ENABLE_DEBUG_ROUTE",
  "GOTENBERG_BUILD_DEBUG_DATA",
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
  "PROMETHEUS_DISABLE_ROUTE_LOGGING",
  "PROMETHEUS_DISABLE_ROUTE_TELEMETRY",
  "API_DOWNLOAD_FROM_DENY_PRIVATE_IPS",
  "CHROMIUM_DENY_PRIVATE_IPS",
  "WEBHOOK_DENY_PRIVATE_IPS",
  // The address guard always does this.
  "LIBREOFFICE_DENY_PRIVATE_IPS",
]);

/** The variables that have an effect, as options of Gotenberg's command, without names, passwords and keys. */
export function readFlags(variables: ReadonlyMap<string, string>): Record<string, string> {
  const shown = [...variables].filter(
    ([name, value]) =>
      value !== "" &&
      supported.has(name) &&
      (!name.startsWith("GOTENBERG_") || name === "GOTENBERG_BUILD_DEBUG_DATA"),
  );
  return Object.fromEntries(
    shown.map(([name, value]) => [name.toLowerCase().replaceAll("_", "-"), value]),
  );
}

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
