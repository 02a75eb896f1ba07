/** How a page is requested, loaded and changed before it is printed or captured. */
export interface PageSettings {
  /** The CSS media type. By default that of Chromium: `print` in a PDF, otherwise `screen`. */
  readonly media?: "print" | "screen" | undefined;
  /** Whether the page prefers a dark color scheme. */
  readonly dark?: boolean | undefined;
  /** Further media features by name, such as `prefers-reduced-motion`. */
  readonly mediaFeatures?: Readonly<Record<string, string>> | undefined;
  /** Whether the page has no background of its own, so that the result is transparent. */
  readonly isTransparent?: boolean | undefined;
  /** Whether scripts of the page do not run. */
  readonly blocksScripts?: boolean | undefined;
  readonly viewport?: Viewport | undefined;
  readonly credentials?: PageCredentials | undefined;
  /** Style sheet that is added to the page. */
  readonly css?: string | undefined;
  /** Code that runs in the page after it has loaded. */
  readonly javascript?: string | undefined;
  /** CSS selectors of elements that are not shown. */
  readonly hide?: readonly string[] | undefined;
  /** What is waited for in turn: times in milliseconds, and elements by their CSS selectors. */
  readonly waitFor?: readonly (number | string)[] | undefined;
  /** JavaScript that is evaluated until it is true. */
  readonly waitForExpression?: string | undefined;
  /** Whether it is scrolled to its end and back, so that resources load that wait for it. */
  readonly scrollsThrough?: boolean | undefined;
  readonly blocksAds?: boolean | undefined;
  readonly blocksCookieBanners?: boolean | undefined;
  /** The job fails if a resource responds with one of these HTTP statuses. */
  readonly failsOnStatus?: ((status: number) => boolean) | undefined;
  /** Whether the job fails if a resource gets no response. */
  readonly failsOnMissing?: boolean | undefined;
  /** Hosts whose resources may respond with any status. Their subdomains too. */
  readonly toleratedHosts?: readonly string[] | undefined;
  /** Whether the job fails if a script of the page throws an error that it does not catch. */
  readonly failsOnScriptError?: boolean | undefined;
}

/** The size in CSS pixels; `scale` is the number of device pixels per CSS pixel. */
export interface Viewport {
  readonly width: number;
  readonly height: number;
  readonly scale: number;
  readonly isMobile?: boolean;
  readonly hasTouch?: boolean;
}

/** What the requests of a page contain in addition. */
export interface PageCredentials {
  readonly userAgent?: string | undefined;
  /** The headers that are sent to the origin of the page only, or to the URLs of their scopes. */
  readonly headers?: Readonly<Record<string, string | ScopedHeader>> | undefined;
  readonly cookies?: readonly PageCookie[] | undefined;
}

/** A header that is sent to all URLs in which a regular expression (`lib/net/url-scopes.ts`) matches. */
export interface ScopedHeader {
  readonly value: string;
  readonly scope: string;
}

/** A cookie, which is sent to one host only, not to its subdomains. */
export interface PageCookie {
  readonly name: string;
  readonly value: string;
  /** The host that gets the cookie; that of the page by default. */
  readonly domain?: string | undefined;
  readonly path?: string | undefined;
  /** Whether it is sent by https only. */
  readonly secure?: boolean | undefined;
}

/** Whether any setting changes a page after it has loaded. */
export function changesPage(settings: PageSettings): boolean {
  const { css, javascript, hide, waitFor, waitForExpression, scrollsThrough } = settings;
  const { blocksAds, blocksCookieBanners } = settings;
  const isBlocking = blocksAds || blocksCookieBanners;
  const isWaiting = Boolean(waitFor?.length || waitForExpression);
  return Boolean(css || javascript || hide?.length || isWaiting || scrollsThrough || isBlocking);
}
