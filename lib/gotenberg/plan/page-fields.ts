import {
  findScopeFault,
  lengthOfScopes,
  maxScopeLength,
  maxScopesLength,
} from "#lib/net/url-scopes.ts";
import { bool, custom, int64, mapOf, sliceOf, string, struct } from "../base/unmarshal.ts";
import { type Form, unmarshalField } from "../form/form.ts";
import type { FieldNames } from "./plan.ts";

/** The fields of all routes that load a page in Chromium, as parameters of operations. */
export function readPageFields(form: Form): Record<string, unknown> {
  form.bool("skipNetworkIdleEvent", true);
  form.bool("skipNetworkAlmostIdleEvent", true);
  // The page itself must always respond with success.
  form.json("failOnHttpStatusCodes", sliceOf(int64));
  const statuses = form.json("failOnResourceHttpStatusCodes", sliceOf(int64));
  const tolerated = form.json("ignoreResourceHttpStatusDomains", sliceOf(string));
  const failsOnMissing = form.bool("failOnResourceLoadingFailed", false);
  const failsOnScriptError = form.bool("failOnConsoleExceptions", false);
  const delay = form.duration("waitDelay", 0);
  const windowStatus = form.text("waitWindowStatus");
  const expression = form.text("waitForExpression");
  const selector = form.text("waitForSelector");
  const cookies = form.parse("cookies", [], readCookies);
  const userAgent = form.text("userAgent");
  const headers = form.parse("extraHttpHeaders", {}, readHeaders);
  const media = form.parse("emulatedMediaType", "", (text) => {
    if (text === "screen" || text === "print") return text;
    throw new Error("wrong value, expected either 'screen', 'print' or empty");
  });
  const features = form.json("emulatedMediaFeatures", mapOf(string));
  const transparent = form.bool("omitBackground", false);
  const waits = [...(selector ? [selector] : []), ...splitDelay(delay)];
  const condition = joinConditions(windowStatus, expression);
  return {
    ...(waits.length > 0 ? { wait_for: waits } : {}),
    ...(condition ? { wait_for_expression: condition } : {}),
    ...(cookies.length > 0 ? { cookies } : {}),
    ...(userAgent ? { user_agent: userAgent } : {}),
    ...(Object.keys(headers).length > 0 ? { headers } : {}),
    ...(media ? { media } : {}),
    ...(Object.keys(features).length > 0 ? { media_features: features } : {}),
    ...(transparent ? { transparent } : {}),
    ...(statuses.length > 0 ? { fail_on_status: statuses.flatMap(toStatusRange).join(",") } : {}),
    ...(tolerated.length > 0 ? { fail_on_status_except: tolerated.map(hostOf) } : {}),
    ...(failsOnMissing ? { fail_on_missing: true } : {}),
    ...(failsOnScriptError ? { fail_on_script_error: true } : {}),
  };
}

/** The form fields of the parameters. */
export const pageFieldNames: FieldNames = {
  wait_for: "waitForSelector",
  wait_for_expression: "waitForExpression",
  cookies: "cookies",
  user_agent: "userAgent",
  headers: "extraHttpHeaders",
  media: "emulatedMediaType",
  media_features: "emulatedMediaFeatures",
  transparent: "omitBackground",
  fail_on_status: "failOnResourceHttpStatusCodes",
  fail_on_status_except: "ignoreResourceHttpStatusDomains",
};

/** The expression to wait for: first until `window.status` has the given value, then until the expression is true. */
function joinConditions(windowStatus: string, expression: string): string {
  if (windowStatus === "") return expression;
  const hasStatus = `window.status === ${JSON.stringify(windowStatus)}`;
  return expression === "" ? hasStatus : `${hasStatus} && (0, eval)(${JSON.stringify(expression)})`;
}

/** The longest step of `wait_for`, and the most of them, so that a longer delay is longer than a page may take. */
const maxStepMs = 20_000;
const maxSteps = 9;

/** A delay as steps of `wait_for`. */
function splitDelay(delayMs: number): number[] {
  const steps = Math.min(maxSteps, Math.ceil(delayMs / maxStepMs));
  return Array.from({ length: Math.max(0, steps) }, (_, index) =>
    Math.min(maxStepMs, delayMs - index * maxStepMs),
  );
}

/** 499 stands for all from 400 to 499, and so on. Statuses below 400 are never failures here. */
function toStatusRange(status: number): string[] {
  if (status < 400 || status > 599) return [];
  return [status % 100 === 99 ? `${Math.floor(status / 100)}xx` : String(status)];
}

/** The host of an entry such as `*.example.com`, `https://example.com/` or `example.com:8080`. */
function hostOf(entry: string): string {
  return (
    entry
      .trim()
      .replace(/^\*\./, "")
      .replace(/^[a-z]+:\/\//i, "")
      .split(/[/:]/)[0] ?? ""
  );
}

const sameSites: readonly string[] = ["strict", "lax", "none"];

const cookieType = struct("chromium.Cookie", () => ({
  name: string,
  value: string,
  domain: string,
  path: string,
  secure: bool,
  httpOnly: bool,
  sameSite: custom("network.CookieSameSite", "", (text) => {
    if (sameSites.includes(text.toLowerCase())) return text;
    throw new Error(`unknown CookieSameSite value: ${text}`);
  }),
}));

function readCookies(text: string): Record<string, unknown>[] {
  const cookies = unmarshalField("cookies", text, sliceOf(cookieType));
  const faults = cookies.flatMap(({ name, value, domain }, index) =>
    [name, value, domain].every((one) => one.trim() !== "")
      ? []
      : [`cookie ${index} must have its name, value and domain set`],
  );
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return cookies.map(({ name, value, domain, path, secure }) => ({
    name,
    value,
    domain: domain.replace(/^\./, "").replace(/:\d+$/, ""),
    ...(path ? { path } : {}),
    ...(secure ? { secure } : {}),
  }));
}

const maxHeaders = 64;

type Header = string | { readonly value: string; readonly scope: string };

/** Headers, whose values may have `;scope=` and an expression for the URLs that get them. */
function readHeaders(text: string): Record<string, Header> {
  const given = Object.entries(unmarshalField("extraHttpHeaders", text, mapOf(string)));
  if (given.length > maxHeaders) {
    throw new Error(`too many headers, got ${given.length}, expected at most ${maxHeaders}`);
  }
  const read = given.map(([name, value]) => ({ name, ...splitHeader(value) }));
  const length = lengthOfScopes(read.flatMap(({ scopes }) => scopes));
  if (length > maxScopesLength) {
    throw new Error(
      `too long scopes, got ${length} characters, expected at most ${maxScopesLength}`,
    );
  }
  const faults: string[] = [];
  const headers: Record<string, Header> = {};
  for (const { name, sent, scopes } of read) {
    const fault = scopes.map((token) => scopeFault(token, name)).find((one) => one !== undefined);
    const scope = scopes.at(-1)?.replace(/^scope=/i, "");
    if (fault) faults.push(fault);
    else headers[name] = scope === undefined ? sent : { value: sent, scope };
  }
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return headers;
}

/** The value that is sent, and the scopes, each with its name. */
function splitHeader(value: string): { sent: string; scopes: string[] } {
  const tokens = value.split(";").filter((token) => token !== "");
  const isScope = (token: string) => token.trim().toLowerCase().startsWith("scope");
  return {
    sent: tokens.filter((token) => !isScope(token)).join("; "),
    scopes: tokens.filter(isScope).map((token) => token.replaceAll(/\s+/g, "")),
  };
}

function scopeFault(token: string, name: string): string | undefined {
  const [, scope = ""] = /^scope=(.+)$/is.exec(token) ?? [];
  if (scope === "") return `invalid scope '' for header '${name}'`;
  if (scope.length > maxScopeLength) {
    return `scope regex pattern for header '${name}' is too long, got ${scope.length} characters, expected at most ${maxScopeLength}`;
  }
  const problem = findScopeFault(scope);
  if (problem === undefined) return undefined;
  return `invalid scope regex pattern for header '${name}': error parsing regexp: ${problem} in \`${scope}\``;
}
