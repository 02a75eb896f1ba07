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

const maxWarnings = 20;

export interface Resource {
  readonly url: string;
  readonly type: Protocol.Network.ResourceType | undefined;
}

export interface FailedResource extends Resource {
  /** The HTTP status, if there was a response. */
  readonly status?: number;
}

/** The resources of a page that could not be loaded. */
export class ResourceLog {
  readonly #failed = new Map<string, FailedResource>();

  add(resource: FailedResource): void {
    const { url, type } = resource;
    if (!type || !labels[type] || !/^https?:/.test(url)) return;
    if (this.#failed.size <= maxWarnings && !this.#failed.has(url)) this.#failed.set(url, resource);
  }

  /** The first resource whose status is one of those. */
  find(isStatus: (status: number) => boolean): FailedResource | undefined {
    return [...this.#failed.values()].find(
      ({ status }) => status !== undefined && isStatus(status),
    );
  }

  /** One short text for each resource. The URLs of resources below `base` are relative. */
  warnings(base: string): string[] {
    const failed = [...this.#failed.values()].slice(0, maxWarnings);
    const warnings = failed.map(({ url, type, status }) => {
      const isBelow = url.startsWith(base);
      const reason = status === undefined || isBelow ? "" : ` (status ${status})`;
      const name = shorten(isBelow ? redactUrl(url).slice(base.length) : redactUrl(url));
      return `The ${labelOf(type)} ${name} could not be loaded${reason}.`;
    });
    if (this.#failed.size > maxWarnings) warnings.push("Further resources could not be loaded.");
    return warnings;
  }
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
