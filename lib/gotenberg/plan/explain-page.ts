import { GotenbergError, statusTexts } from "../base/errors.ts";
import type { Form } from "../form/form.ts";
import type { JobFailure } from "./plan.ts";

/** The error that Gotenberg's routes of Chromium send for a failed job; undefined for those of any route. */
export function explainPage({ code, message }: JobFailure, form: Form): GotenbergError | undefined {
  const find = (pattern: RegExp) => pattern.exec(message)?.[1];
  if (/`wait_for_expression`/.test(message) && code === "empty") {
    const expression = form.text("waitForExpression");
    return new GotenbergError(
      400,
      `The expression '${expression}' (waitForExpression) returned an exception or undefined`,
    );
  }
  if (/`wait_for`/.test(message) && code === "empty") {
    const selector = form.text("waitForSelector");
    return new GotenbergError(
      400,
      `The selector '${selector}' (waitForSelector) returned an exception or undefined`,
    );
  }
  if (/`selector`/.test(message)) {
    const selector = form.text("selector");
    return new GotenbergError(
      400,
      `The selector '${selector}' (selector) matched no element with a visible box`,
    );
  }
  if (/`page_ranges`/.test(message)) {
    const ranges = form.text("nativePageRanges");
    const problem =
      code === "empty"
        ? `The page ranges '${ranges}' (nativePageRanges) exceeds the page count`
        : `Chromium does not handle the page ranges '${ranges}' (nativePageRanges) syntax`;
    return new GotenbergError(400, problem);
  }
  const status = find(/^The server responded with status (\d{3})/);
  if (status) {
    return new GotenbergError(
      409,
      `Invalid HTTP status code from the main page: ${describeStatus(status)}`,
    );
  }
  const refused = find(/^The servers of some resources responded with errors: (.+)\.$/);
  if (refused) {
    const lines = listed(refused).map(({ name, reason }) => {
      const [, status = ""] = /^status (\d{3})$/.exec(reason) ?? [];
      return `${name} - ${describeStatus(status)}`;
    });
    return new GotenbergError(409, `Invalid HTTP status code from resources:\n${lines.join("\n")}`);
  }
  const scripts = find(/^Scripts of the page failed: (.+)\.$/);
  if (scripts) {
    return new GotenbergError(
      409,
      `Chromium console exceptions:\n${scripts.replaceAll("; ", "\n")}`,
    );
  }
  const missing = find(/^Some resources got no response: (.+)\.$/);
  if (missing) {
    const lines = listed(missing).map(
      ({ type, reason }) => `resource ${type}: ${networkErrors[reason] ?? "net::ERR_FAILED"}`,
    );
    return new GotenbergError(409, `Chromium failed to load resources: ${lines.join("\n")}`);
  }
  if (code === "fetch_failed") {
    return new GotenbergError(400, `Chromium returned net::ERR_FAILED: ${message}`);
  }
  if (code === "too_complex") {
    return new GotenbergError(
      400,
      "Chromium failed to print the PDF; this usually happens when the page is too large",
    );
  }
  if (code === "invalid_parameter" && /`(?:scale|page_size|margin|width|height)`/.test(message)) {
    return new GotenbergError(
      400,
      "Chromium does not handle the provided settings; please check for aberrant form values",
    );
  }
  return undefined;
}

/** Chromium's types of resources, by what the service calls them. */
const resourceTypes: Readonly<Record<string, string>> = {
  frame: "Document",
  image: "Image",
  "style sheet": "Stylesheet",
  font: "Font",
  script: "Script",
  "media file": "Media",
  data: "Fetch",
};

/** Chromium's errors by the reasons of the service. A file of the form has none. */
const networkErrors: Readonly<Record<string, string>> = {
  "": "net::ERR_FILE_NOT_FOUND",
  "its address is not allowed": "net::ERR_ACCESS_DENIED",
  "the server refused the connection": "net::ERR_CONNECTION_REFUSED",
  "the server could not be reached": "net::ERR_CONNECTION_FAILED",
  "the server closed the connection": "net::ERR_CONNECTION_CLOSED",
  "no response in time": "net::ERR_TIMED_OUT",
};

/** The resources that an error of the service lists: `image https://example.com/a.png (status 404), …`. */
function listed(text: string): { type: string; name: string; reason: string }[] {
  const types = Object.keys(resourceTypes).join("|");
  const entry = new RegExp(`(?:^|, )(${types}) (\\S+?)(?: \\(([^()]*)\\))?(?=, |$)`, "g");
  return [...text.matchAll(entry)].map(([, type = "", name = "", reason = ""]) => ({
    type: resourceTypes[type] ?? type,
    name,
    reason,
  }));
}

function describeStatus(status: string): string {
  return `${status}: ${statusTexts[Number(status)] ?? ""}`;
}
