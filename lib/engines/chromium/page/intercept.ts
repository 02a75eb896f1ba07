import type { CDPSession, Protocol } from "puppeteer";
import { keepsCredentials } from "#lib/net/redirects.ts";
import { adHostMatcher } from "../blocking/ad-hosts.ts";
import { type PageAssets, readAsset } from "./assets.ts";
import { lowerCaseNames, selectHeaders } from "./credentials.ts";
import { type PageDocument, uploadUrl } from "./page-document.ts";
import type { PageTarget } from "./page-target.ts";
import type { PageSettings, ScopedHeader } from "./settings.ts";

/**
 * Fulfills the main frame's first document request with `document` and fails all later ones. Adds the
 * headers to requests for the page's own origin, and fails requests for ads. The returned function ends it
 * before another document is loaded.
 */
export async function interceptRequests(
  page: PageTarget,
  document: PageDocument,
  settings: PageSettings,
): Promise<() => void> {
  const { session } = page;
  const headers = headersFor(document, settings);
  const isAd = settings.blocksAds ? await adHostMatcher() : undefined;
  const serve = serveOnce(page, document);
  const handle = (event: Protocol.Fetch.RequestPausedEvent) => {
    const { requestId, request, resourceType } = event;
    if (resourceType === "Document" && event.frameId === page.frameId) return serve(requestId);
    if (document.assets && request.url.startsWith(uploadUrl)) {
      return serveAsset(session, requestId, document.assets, request.url);
    }
    if (isAd?.(request.url)) {
      return session.send("Fetch.failRequest", { requestId, errorReason: "BlockedByClient" });
    }
    const added = headers?.(request.url);
    if (!added) return session.send("Fetch.continueRequest", { requestId });
    const all = { ...lowerCaseNames(request.headers), ...added };
    return session.send("Fetch.continueRequest", { requestId, headers: toEntries(all) });
  };
  const onPaused = (event: Protocol.Fetch.RequestPausedEvent) => {
    // The call fails if the request was canceled or the page was closed meanwhile.
    handle(event).catch(() => {});
  };
  session.on("Fetch.requestPaused", onPaused);
  const isEveryRequest = isAd !== undefined || headers !== undefined;
  const own = document.assets ? [{ urlPattern: `${uploadUrl}*` }] : [];
  const patterns = isEveryRequest ? [{}] : [{ resourceType: "Document" as const }, ...own];
  await session.send("Fetch.enable", { patterns });
  return () => session.off("Fetch.requestPaused", onPaused);
}

async function serveAsset(
  session: CDPSession,
  requestId: string,
  assets: PageAssets,
  url: string,
): Promise<void> {
  const { status, contentType, body } = await readAsset(assets, url, uploadUrl);
  const responseHeaders = toEntries({
    "Content-Type": contentType,
    // Fonts and modules of the page are requested with CORS.
    "Access-Control-Allow-Origin": "*",
  });
  const response = { responseCode: status, responseHeaders, body: body.toString("base64") };
  await session.send("Fetch.fulfillRequest", { requestId, ...response });
}

function serveOnce({ session }: PageTarget, document: PageDocument) {
  let isServed = false;
  return (requestId: string): ReturnType<CDPSession["send"]> => {
    if (isServed) return session.send("Fetch.failRequest", { requestId, errorReason: "Aborted" });
    isServed = true;
    return session.send("Fetch.fulfillRequest", {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: "Content-Type", value: document.contentType }],
      body: document.body.toString("base64"),
    });
  };
}

/** Returns a function of the headers that a request for a URL gets in addition; undefined if none gets any. */
function headersFor(
  { url, requestedUrl = url }: PageDocument,
  { credentials }: PageSettings,
): ((url: string) => Record<string, string>) | undefined {
  const headers = credentials?.headers ?? {};
  const page = new URL(url);
  const isTrusted = keepsCredentials(new URL(requestedUrl), page);
  const isSent = (header: string | ScopedHeader) => isTrusted || typeof header !== "string";
  if (!Object.values(headers).some(isSent)) return undefined;
  const select = selectHeaders(headers);
  return (requested) =>
    select(requested, isTrusted && URL.parse(requested)?.origin === page.origin);
}

function toEntries(headers: Readonly<Record<string, string>>): Protocol.Fetch.HeaderEntry[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}
