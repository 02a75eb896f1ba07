/** Ad networks, by the data of `third-party-web`. */

interface AdHosts {
  readonly hosts: ReadonlySet<string>;
  /** Registrable domains, of which all hosts belong to the network. */
  readonly domains: ReadonlySet<string>;
}

let loaded: Promise<AdHosts> | undefined;

/** Loads the ad networks once, when a page needs them. */
async function loadAdHosts(): Promise<AdHosts> {
  const { default: data } = await import("third-party-web/nostats-subset.js");
  const names = data.entities
    .filter(({ category }) => category === "ad")
    .flatMap(({ domains }) => domains);
  const isWildcard = (name: string) => name.startsWith("*.");
  return {
    hosts: new Set(names.filter((name) => !isWildcard(name))),
    domains: new Set(names.filter(isWildcard).map((name) => name.slice(2))),
  };
}

/** A function that returns whether the host of a URL belongs to an ad network. */
export async function adHostMatcher(): Promise<(url: string) => boolean> {
  loaded ??= loadAdHosts();
  const { hosts, domains } = await loaded;
  return (url) => {
    const host = URL.parse(url)?.hostname ?? "";
    if (hosts.has(host)) return true;
    const labels = host.split(".");
    return labels.some((_, index) => domains.has(labels.slice(index).join(".")));
  };
}

/** Elements that pages reserve for ads, which would be empty. */
export const adSlots = [
  "ins.adsbygoogle",
  '[id^="google_ads_iframe"]',
  '[id^="div-gpt-ad"]',
  "[data-google-query-id]",
  "[data-ad-slot]",
  "[data-ad-client]",
  "amp-ad",
  "amp-embed[type]",
  ".OUTBRAIN",
  '[id^="taboola-"]',
];
