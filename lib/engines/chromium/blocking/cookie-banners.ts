import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CDPSession } from "puppeteer";

/**
 * Declines the consent dialogs of known platforms with the rules of `@duckduckgo/autoconsent`, and hides
 * other banners, which are recognized by their position and words.
 */

/** Runs JavaScript in a page. */
type Evaluate = (expression: string) => Promise<unknown>;

/** The time in which a platform must be recognized. */
const detectMs = 1000;
/** The time to decline. */
const declineMs = 6000;

let script: Promise<string> | undefined;

/** The program with its rules, for the page itself: rules use variables of the page. */
function loadScript(): Promise<string> {
  const entry = fileURLToPath(import.meta.resolve("@duckduckgo/autoconsent"));
  script ??= readFile(join(dirname(entry), "autoconsent.standalone.js"), "utf8");
  return script;
}

/** Declines the consent dialog of a known platform, which usually hides it. */
export async function dismissCookieBanner(session: CDPSession): Promise<void> {
  await session.send("Runtime.evaluate", { expression: await loadScript() });
  await session.send("Runtime.evaluate", {
    awaitPromise: true,
    expression: `new Promise((resolve) => {
      const start = Date.now();
      const look = () => {
        const types = (window.autoconsentStandalone?.messages ?? []).map(({ type }) => type);
        const limit = types.includes("cmpDetected") ? ${declineMs} : ${detectMs};
        const isDone = types.includes("autoconsentDone") || types.includes("optOutResult");
        if (isDone || Date.now() - start > limit) resolve();
        else setTimeout(look, 50);
      };
      look();
    })`,
  });
}

/** The words "cookie" and "consent" in many languages. */
const words =
  "cookie|consent|gdpr|dsgvo|einwilligung|zustimm|consentement|consentimiento|consentimento|consenso|toestemming|samtycke|samtykke|suostum|ciastecz|zgod|souhlas|süti|çerez|куки|файлы|согласи|クッキー|同意|쿠키|동의|الارتباط|עוגיות|कुकी";

/**
 * Hides elements that are fixed above the page, contain these words and have a button or link, with
 * backdrops that cover the page, and makes the page scroll again.
 */
export async function hideCookieBanners(evaluate: Evaluate): Promise<void> {
  await evaluate(`(() => {
    const words = new RegExp(${JSON.stringify(words)}, "i");
    const hide = (element) => element.style.setProperty("display", "none", "important");
    const isAbove = ({ position, zIndex, display }) =>
      display !== "none" && (position === "fixed" || position === "sticky" || (position === "absolute" && Number(zIndex) >= 100));
    const above = [...document.querySelectorAll("body *, body")].slice(0, 50_000)
      .flatMap((element) => [element, ...(element.shadowRoot?.querySelectorAll("*") ?? [])])
      .filter((element) => isAbove(getComputedStyle(element)));
    const textOf = (element) => (element.innerText ?? "") + (element.shadowRoot?.textContent ?? "");
    const isBanner = (element) => {
      const text = textOf(element);
      const actions = element.querySelector("button, a, input[type=button], input[type=submit], [role=button]") ?? element.shadowRoot?.querySelector("button, a");
      return actions && text.length < 6000 && words.test(text) && !element.querySelector("main, article, nav");
    };
    const isNavigation = (element) => element.closest("header, nav") !== null && !/cookie|consent/i.test(element.id + element.className);
    const banners = above.filter((element) => isBanner(element) && !isNavigation(element));
    banners.forEach(hide);
    if (banners.length === 0) return;
    const covers = (element) => {
      const { width, height } = element.getBoundingClientRect();
      return width >= innerWidth && height >= innerHeight && textOf(element).trim() === "" && !element.querySelector("img, video, canvas, svg");
    };
    above.filter(covers).forEach(hide);
    for (const element of [document.documentElement, document.body]) {
      if (getComputedStyle(element).overflowY === "hidden") element.style.setProperty("overflow", "visible", "important");
      if (getComputedStyle(element).position === "fixed") element.style.setProperty("position", "static", "important");
    }
  })()`);
}
