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

  /** The first resource whose status is one of those, and whose host is not below `toleratedHosts`. */
  find(
    isStatus: (status: number) => boolean,
    toleratedHosts: readonly string[] = [],
  ): FailedResource | undefined {
    const isTolerated = (url: string) => {
      const { hostname } = new URL(url);
      return toleratedHosts.some((host) => hostname === host || hostname.endsWith(`.${host}`));
    };
    return [...this.#failed.values()].find(
      // With a reason, it is not the server that has responded.
      ({ status, reason, url }) =>
        status !== undefined && reason === undefined && isStatus(status) && !isTolerated(url),
    );
  }

  /** The first resource without a response of its server. */
  findMissing(): FailedResource | undefined {
    return [...this.#failed.values()].find(
      ({ status, reason }) => status === undefined || reason !== undefined,
    );
  }

  /** The number of resources whose URLs are not below `base`; at most 1000 resources are counted. */
  countOutside(base: string): number {
    return [...this.#failed.keys()].filter((url) => !url.startsWith(base)).length;
  }

  /** One short text for each of the first resources. The URLs of resources below `base` are relative. */
  warnings(base: string): string[] {
    const warnings = [...this.#failed.values()].slice(0, maxNamed).map((resource) => {
      const { url, type } = resource;
      const isBelow = url.startsWith(base);
      const reason = isBelow ? "" : reasonOf(resource);
      const name = shorten(isBelow ? redactUrl(url).slice(base.length) : redactUrl(url));
      return `The ${labelOf(type)} ${name} could not be loaded${reason}.`;
    });
    const more = this.#failed.size - maxNamed;
    if (more <= 0) return warnings;
    const count = this.#failed.size < maxCounted ? `${more}` : `At least ${more}`;
    return [
      ...warnings,
      `${count} more ${more === 1 ? "resource" : "resources"} could not be loaded.`,
    ];
  }
}

/** The status, or why there is none, in parentheses. */
function reasonOf({ status, reason }: FailedResource): string {
  const known = reason ?? (status === undefined ? undefined : `status ${status}`);
  return known === undefined ? "" : ` (${known})`;
}

/** A resource in an error message, which has no URLs: `image logo.png`. */
export function nameResource({ url, type }: Resource): string {
  const name = new URL(url).pathname.split("/").at(-1) ?? "";
  return `${labelOf(type)} ${name.replaceAll(/[^\w.-]+/g, "")}`.trim().slice(0, 100);
}

function labelOf(type: Resource["type"]): string {
  return labels[type ?? "Other"] ?? "file";
}

function shorten(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
