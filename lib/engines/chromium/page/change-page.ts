import { setTimeout as delay } from "node:timers/promises";
import type { Protocol } from "puppeteer";
import { waitAtMost } from "#lib/deadline.ts";
import { JobError } from "#lib/errors.ts";
import { adSlots } from "../blocking/ad-hosts.ts";
import { dismissCookieBanner, hideCookieBanners } from "../blocking/cookie-banners.ts";
import type { IsolatedWorld } from "./evaluate.ts";
import type { PageTarget } from "./page-target.ts";
import { scrollThrough } from "./scrolling.ts";
import { changesPage, type PageSettings } from "./settings.ts";

/** The time for the code of the caller, and for the element that it waits for. */
const waitMs = 10_000;

/** The time until an expression of the caller is true. */
const expressionMs = 25_000;

/** The time to wait for requests that the changes cause. */
const quietMs = 5000;

const pollMs = 50;

/**
 * Changes a loaded page by its settings, in this order: cookie banners, style sheet and hidden elements,
 * code, wait. Returns warnings. Throws `JobError` `empty` for a selector that is not valid, and
 * `timed_out` if the element does not appear.
 */
export async function changePage(
  page: PageTarget,
  world: IsolatedWorld,
  settings: PageSettings,
): Promise<string[]> {
  const { css, javascript, hide = [], waitFor, blocksAds, blocksCookieBanners } = settings;
  if (!changesPage(settings)) return [];
  const warnings: string[] = [];
  if (blocksCookieBanners) await dismissCookieBanner(page.session);
  await requireSelectors(world, "hide", hide);
  const hidden = [...hide, ...(blocksAds ? adSlots : [])];
  if (css || hidden.length > 0) await addStyles(world, css ?? "", hidden);
  if (javascript) warnings.push(...(await runScript(page, javascript)));
  for (const one of waitFor ?? []) {
    if (typeof one === "number") await page.wait(one);
    else await waitForElement(world, one);
  }
  if (settings.waitForExpression) await waitForTruth(page, settings.waitForExpression);
  if (settings.scrollsThrough) await scrollThrough(world);
  await page.requests.waitUntilIdle(Date.now() + quietMs);
  if (blocksCookieBanners) await hideCookieBanners((code) => world.evaluate(code));
  return warnings;
}

/** Throws `JobError` if a selector is not valid. `parameter` has them. */
export async function requireSelectors(
  world: IsolatedWorld,
  parameter: string,
  selectors: readonly string[],
): Promise<void> {
  if (selectors.length === 0) return;
  const invalid = await world.evaluate(`${JSON.stringify(selectors)}.find((selector) => {
    try { document.createDocumentFragment().querySelector(selector); } catch { return true; }
  })`);
  if (typeof invalid !== "string") return;
  const message = `\`${parameter}\` contains a CSS selector that is not valid: ${quote(invalid)}.`;
  throw new JobError("empty", message);
}

/** Adds styles in a constructed style sheet, which a policy of the page does not forbid. */
async function addStyles(world: IsolatedWorld, css: string, hide: readonly string[]) {
  await world.evaluate(`(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(${JSON.stringify(css)});
    for (const selector of ${JSON.stringify(hide)}) {
      const at = sheet.insertRule("x { display: none !important }", sheet.cssRules.length);
      sheet.cssRules[at].selectorText = selector;
    }
    document.adoptedStyleSheets.push(sheet);
  })()`);
}

async function runScript({ session }: PageTarget, code: string): Promise<string[]> {
  const running = session.send("Runtime.evaluate", {
    awaitPromise: true,
    userGesture: true,
    expression: `(async () => {\n${code}\n})()`,
  });
  const finished = await waitAtMost(running, waitMs);
  if (!finished) return [`\`javascript\` did not finish within ${waitMs / 1000} seconds.`];
  const { exceptionDetails } = finished;
  if (!exceptionDetails) return [];
  const { exception, text } = exceptionDetails;
  const [description = text] = (exception?.description ?? text).split("\n");
  return [`\`javascript\` failed: ${quote(description)}.`];
}

async function waitForElement(world: IsolatedWorld, selector: string): Promise<void> {
  await requireSelectors(world, "wait_for", [selector]);
  const isFound = await world.evaluate(`new Promise((resolve) => {
    const end = Date.now() + ${waitMs};
    const look = () => {
      const isFound = document.querySelector(${JSON.stringify(selector)}) !== null;
      if (isFound || Date.now() > end) resolve(isFound);
      else setTimeout(look, ${pollMs});
    };
    look();
  })`);
  if (isFound === true) return;
  const message = `\`wait_for\`: no element matched ${quote(selector)} within ${waitMs / 1000} seconds.`;
  throw new JobError("timed_out", message);
}

/** Throws `JobError` `empty` if the expression throws or can never be true or false, and `timed_out`. */
async function waitForTruth({ session }: PageTarget, expression: string): Promise<void> {
  const end = Date.now() + expressionMs;
  while (true) {
    const evaluating = session.send("Runtime.evaluate", {
      awaitPromise: true,
      expression,
    });
    const evaluated = await waitAtMost(evaluating, Math.max(0, end - Date.now()));
    const { result, exceptionDetails } = evaluated ?? {};
    const problem = exceptionDetails ? "failed" : result && findTypeProblem(result);
    if (problem) {
      const message = `\`wait_for_expression\`: ${quote(expression)} ${problem}.`;
      throw new JobError("empty", message);
    }
    if (result?.value === true) return;
    if (Date.now() > end) {
      const message = `\`wait_for_expression\`: ${quote(expression)} was not true within ${expressionMs / 1000} seconds.`;
      throw new JobError("timed_out", message);
    }
    await delay(pollMs);
  }
}

/** What is wrong with the value of an expression that was to become true. `null` is false. */
function findTypeProblem({ type, subtype }: Protocol.Runtime.RemoteObject): string | undefined {
  if (type === "boolean" || subtype === "null") return undefined;
  return type === "undefined" ? "is undefined" : "is neither true nor false";
}

/** Text of a page or of a caller in a message, without its control characters. */
export function quote(text: string): string {
  return text
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .replace(/\.$/, "")
    .slice(0, 200);
}
