import type { Protocol } from "puppeteer";
import { redactUrl } from "#lib/net/redact-url.ts";

/** What a resource is called in a warning. Resources of other types do not show in a page. */
const labels: Partial<Record<Protocol.Network.ResourceType, string>> = {
  Document: "frame",
  Image: "image",
  Stylesheet: "style sheet",
  Font: "font",
  Script: "script",
  Media: "media file",
  XHR: "data",
  Fetch: "data",
};

/** Resources that are named in warnings. The others are counted. */
const maxNamed = 10;

/** A page may try to load any number. */
const maxCounted = 1000;

export interface Resource {
  readonly url: string;
  readonly type: Protocol.Network.ResourceType | undefined;
}

export interface FailedResource extends Resource {
  /** The HTTP status, if there was a response. */
  readonly status?: number | undefined;
  /** Why there was no response of the server, if that is known: "its address is not allowed". */
  readonly reason?: string | undefined;
}

/** The resources of a page that could not be loaded. */
export class ResourceLog {
  readonly #failed = new Map<string, FailedResource>();

  add(resource: FailedResource): void {
    const { url, type } = resource;
    if (!type || !labels[type] || !/^https?:/.test(url)) return;
    if (this.#failed.size < maxCounted && !this.#failed.has(url)) this.#failed.set(url, resource);
  }

  /**
   * The resources whose servers responded with one of those statuses, and are not below `toleratedHosts`. No server
   * has those below `base`.
   */
  withStatus(
    isStatus: (status: number) => boolean,
    toleratedHosts: readonly string[],
    base: string,
  ): FailedResource[] {
    const isTolerated = (url: string) => {
      const { hostname } = new URL(url);
      return toleratedHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
    };
    return [...this.#failed.values()].filter(
      // With a reason, it is not the server that has responded.
      ({ status, reason, url }) =>
        status !== undefined &&
        reason === undefined &&
        !url.startsWith(base) &&
        isStatus(status) &&
        !isTolerated(url),
    );
  }

  /** The resources without a response of a server, and those below `base`, which no server has. */
  missing(base: string): FailedResource[] {
    return [...this.#failed.values()].filter(
      ({ status, reason, url }) =>
        status === undefined || reason !== undefined || url.startsWith(base),
    );
  }

  /** The number of resources whose URLs are not below `base`; at most 1000 resources are counted. */
  countOutside(base: string): number {
    return [...this.#failed.keys()].filter((url) => !url.startsWith(base)).length;
  }

  /** One short text for each of the first resources. The URLs of resources below `base` are relative. */
  warnings(base: string): string[] {
    const warnings = [...this.#failed.values()]
      .slice(0, maxNamed)
      .map(
        (resource) =>
          `The ${describeResource(resource, base)} could not be loaded${reasonOf(resource, base)}.`,
      );
    const more = this.#failed.size - maxNamed;
    if (more <= 0) return warnings;
    const count = this.#failed.size < maxCounted ? `${more}` : `At least ${more}`;
    return [
      ...warnings,
      `${count} more ${more === 1 ? "resource" : "resources"} could not be loaded.`,
    ];
  }
}

/**
 * The first resources in an error message, in one line: `style sheet a.css, image https://example.com/b.png (status
 * 404)`. The URLs of resources below `base` are relative, and none has the values of its query.
 */
export function listResources(resources: readonly FailedResource[], base: string): string {
  const named = resources
    .slice(0, maxNamed)
    .map((resource) => `${describeResource(resource, base)}${reasonOf(resource, base)}`);
  const more = resources.length - named.length;
  return [...named, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function describeResource({ url, type }: Resource, base: string): string {
  const redacted = redactUrl(url);
  const name = redacted.startsWith(base) ? redacted.slice(base.length) : redacted;
  return `${labelOf(type)} ${shorten(name)}`;
}

/** The status, or why there is none, in parentheses. */
function reasonOf({ url, status, reason }: FailedResource, base: string): string {
  if (url.startsWith(base)) return "";
  const known = reason ?? (status === undefined ? undefined : `status ${status}`);
  return known === undefined ? "" : ` (${known})`;
}

function labelOf(type: Resource["type"]): string {
  return labels[type ?? "Other"] ?? "file";
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
