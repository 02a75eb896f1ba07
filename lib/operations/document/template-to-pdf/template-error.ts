import { LiquidError } from "liquidjs";
import { JobError, type JobErrorCode } from "#lib/errors.ts";
import { exceedsProgramLimits } from "#lib/media/damaged-data.ts";
import { renderLimitMs } from "./liquid-engine.ts";

const maxQuoteLength = 120;

/** The `JobError` for a template that failed. `item` is the number of the item of the data. */
export function translateTemplateError(error: unknown, item?: number): unknown {
  if (exceedsProgramLimits(error) || (LiquidError.is(error) && isStackOverflow(error))) {
    const message = "The template is nested too deeply, or makes a text that is too long.";
    return new JobError("too_complex", message, { cause: error });
  }
  if (!LiquidError.is(error)) return error;
  const { code, reason } = explain(error);
  const place = `${item === undefined ? "The template" : `Item ${item}: the template`} failed`;
  const message = `${place} in ${locate(error)}: ${reason}.`;
  return new JobError(code, message, { cause: error });
}

function isStackOverflow({ originalError }: LiquidError): boolean {
  return exceedsProgramLimits(originalError);
}

/** The line and the tag, such as `line 3, {{ name }}`. */
function locate({ token }: LiquidError): string {
  const { input, begin, end } = token;
  const line = input.slice(0, begin).split("\n").length;
  const start = Math.max(input.lastIndexOf("{{", begin), input.lastIndexOf("{%", begin));
  const isInTag = start >= 0 && !/[}%]\}/.test(input.slice(start, begin));
  const from = isInTag ? start : begin;
  const close = input.slice(from).search(/[%}]\}/);
  const tag = clean(input.slice(from, close < 0 ? end : from + close + 2));
  return `line ${line}${tag ? `, ${tag}` : ""}`;
}

function explain(error: LiquidError): { code: JobErrorCode; reason: string } {
  const text = (error.originalError?.message ?? error.message).replace(/, line:\d+.*$/s, "");
  if (/memory alloc limit/.test(text)) {
    return { code: "too_complex", reason: "it needs too much memory" };
  }
  if (/render limit/.test(text)) {
    return {
      code: "timed_out",
      reason: `a document takes more than ${renderLimitMs / 1000} seconds`,
    };
  }
  const [, kind = "name", name = ""] = /^undefined (variable|filter): ([\s\S]*)$/.exec(text) ?? [];
  if (name) {
    const missing = kind === "filter" ? `filter ${name}` : `value ${name} in the data`;
    return { code: "corrupt", reason: `there is no ${clean(missing)}` };
  }
  return { code: "corrupt", reason: clean(text).replace(/\.$/, "") || "it is not valid" };
}

/** One line without slashes, which could be read as paths. */
function clean(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\s/\\]+/gu, " ").trim();
  return line.length > maxQuoteLength ? `${line.slice(0, maxQuoteLength)}…` : line;
}
