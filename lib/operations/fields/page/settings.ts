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

const waitSyntax = `must be a CSS selector, or 0 to ${maxWaitMs} milliseconds`;

const waitStep = z
  .union([z.number().min(0).max(maxWaitMs), selector], waitSyntax)
  .refine((value) => typeof value === "number" || !/^\s*\.?\d/.test(value), {
    error: waitSyntax,
  });

export const pageFields = {
  wait_for: z
    .union([waitStep, z.array(waitStep).min(1).max(10)], waitSyntax)
    .optional()
    .describe(
      "What to wait for after the page has loaded: the CSS selector of an element that a script adds, for at most 10 seconds, or a number of milliseconds up to 20000. A list is waited for in turn.",
    ),
  wait_for_expression: z
    .string()
    .min(1)
    .max(10_000)
    .optional()
    .describe(
      "JavaScript that is evaluated in the page, after wait_for, until it is true, for at most 25 seconds, such as window.isReady. A promise is awaited. The job fails if it throws, or is neither true nor false.",
    ),
  media_features: z
    .record(
      z
        .string()
        .max(100)
        .regex(/^[a-z-]+$/, "must be the name of a media feature"),
      z
        .string()
        .max(100)
        .regex(/^[\w /.-]*$/, "must be a value of a media feature"),
    )
    .refine((features) => Object.keys(features).length <= 20, "must have at most 20 features")
    .optional()
    .meta({
      description:
        'Values of CSS media features for the page, such as {"prefers-reduced-motion": "reduce"}.',
      control: "json",
    }),
  transparent: z
    .boolean()
    .default(false)
    .describe("Whether a page without a background of its own is transparent, not white."),
  run_scripts: z.boolean().default(true).describe("Whether scripts of the page run."),
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
  fail_on_status_except: z
    .array(z.string().min(1).max(253))
    .max(100)
    .optional()
    .describe("Host names whose resources, and those of their subdomains, may have any status."),
  fail_on_missing: z
    .boolean()
    .default(false)
    .describe("Whether the job fails if a resource of the page gets no response."),
  fail_on_script_error: z
    .boolean()
    .default(false)
    .describe(
      "Whether the job fails if a script of the page throws an error that it does not catch.",
    ),
};

export const markdownIncludes = z
  .boolean()
  .default(false)
  .describe(
    'Whether {{ toHTML "chapter.md" }} in the page is replaced by the Markdown file of this name of assets, as HTML.',
  );

/** The CSS media type. */
export function pageMedia(preset: "print" | "screen") {
  return z
    .enum(["print", "screen"])
    .default(preset)
    .describe("Whether the styles for print or for screens apply.");
}

interface PageParams extends CredentialParams {
  readonly wait_for?: number | string | (number | string)[] | undefined;
  readonly wait_for_expression?: string | undefined;
  readonly media_features?: Record<string, string> | undefined;
  readonly transparent: boolean;
  readonly run_scripts: boolean;
  readonly fail_on_status_except?: string[] | undefined;
  readonly fail_on_missing: boolean;
  readonly fail_on_script_error: boolean;
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
  const hosts = params.fail_on_status_except?.map((host) => host.toLowerCase());
  return {
    credentials: toCredentials(params),
    css,
    javascript,
    waitFor: waitFor === undefined ? [] : [waitFor].flat(),
    waitForExpression: params.wait_for_expression,
    mediaFeatures: params.media_features,
    isTransparent: params.transparent,
    blocksScripts: !params.run_scripts,
    toleratedHosts: hosts,
    failsOnMissing: params.fail_on_missing,
    failsOnScriptError: params.fail_on_script_error,
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
