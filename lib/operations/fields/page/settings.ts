import { z } from "zod";
import type { PageSettings } from "#lib/engines/chromium/page/settings.ts";
import { type CredentialParams, credentialFields, toCredentials } from "./credentials.ts";

/** Parameters of operations that load a page in a browser. */

const maxWaitMs = 20_000;

const maxCode = 100_000;

const selector = z.string().min(1).max(1000);

const selectorSyntax = "must be a CSS selector, or a list of up to 100";

/** A class or a range of statuses, such as `404`, `5xx` or `500-599`. */
const statusPattern = /^(?:[45]xx|[45]\d\d(?:-[45]\d\d)?)$/i;

export const pageFields = {
  wait_for: z
    .union(
      [z.number().min(0).max(maxWaitMs), selector],
      `must be a CSS selector, or 0 to ${maxWaitMs} milliseconds`,
    )
    .refine((value) => typeof value === "number" || !/^\s*\.?\d/.test(value), {
      error: `must be a CSS selector, or 0 to ${maxWaitMs} milliseconds`,
    })
    .optional()
    .describe(
      "What to wait for after the page has loaded: the CSS selector of an element that a script adds, for at most 10 seconds, or a number of milliseconds up to 20000.",
    ),
  ...credentialFields,
  css: z.string().max(maxCode).optional().meta({
    description: "A style sheet that is added to the page. Rules with @import are ignored.",
    control: "textarea",
  }),
  javascript: z.string().max(maxCode).optional().meta({
    description:
      "JavaScript that runs in the page after it has loaded, as the body of an async function, for at most 10 seconds. If it fails, the job has a warning.",
    control: "textarea",
  }),
  hide: z
    .union(
      [selector, z.array(selector).min(1, selectorSyntax).max(100, selectorSyntax)],
      selectorSyntax,
    )
    .optional()
    .describe(
      "A CSS selector of elements that are not shown, such as .banner, or a list of selectors.",
    ),
  block_cookie_banners: z
    .boolean()
    .default(false)
    .describe(
      "Whether cookie banners are declined and hidden. It makes a page one to several seconds slower.",
    ),
  block_ads: z
    .boolean()
    .default(false)
    .describe("Whether requests to ad networks are blocked, and the space of ads is hidden."),
  fail_on_status: z
    .string()
    .max(200)
    .refine((text) => text.split(",").every((part) => statusPattern.test(part.trim())), {
      error: "must be HTTP statuses from 400 to 599, such as 404,500-599 or 4xx,5xx",
    })
    .optional()
    .describe(
      "The job fails if a resource of the page responds with one of these HTTP statuses, such as 404,500-599 or 4xx,5xx. Without it, missing resources are warnings. The page itself must always respond with status 200.",
    ),
};

/** The CSS media type. */
export function pageMedia(preset: "print" | "screen") {
  return z
    .enum(["print", "screen"])
    .default(preset)
    .describe("Whether the styles for print or for screens apply.");
}

interface PageParams extends CredentialParams {
  readonly wait_for?: number | string | undefined;
  readonly media: "print" | "screen";
  readonly css?: string | undefined;
  readonly javascript?: string | undefined;
  readonly hide?: string | string[] | undefined;
  readonly block_cookie_banners: boolean;
  readonly block_ads: boolean;
  readonly fail_on_status?: string | undefined;
}

export function toPageSettings(params: PageParams): PageSettings {
  const { css, javascript, hide = [], wait_for: waitFor, fail_on_status: statuses } = params;
  return {
    credentials: toCredentials(params),
    css,
    javascript,
    waitFor,
    hide: [hide].flat(),
    blocksCookieBanners: params.block_cookie_banners,
    blocksAds: params.block_ads,
    ...(statuses ? { failsOnStatus: statusMatcher(statuses) } : {}),
  };
}

function statusMatcher(text: string): (status: number) => boolean {
  const ranges = text.split(",").map((part) => {
    const [first = "", last = first] = part.trim().toLowerCase().split("-");
    return [Number(first.replace("xx", "00")), Number(last.replace("xx", "99"))] as const;
  });
  return (status) => ranges.some(([first, last]) => status >= first && status <= last);
}
