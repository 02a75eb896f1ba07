import { posix } from "node:path";
import type { DocumentPackage } from "./read-package.ts";
import { attribute, children } from "./xml.ts";

/** A reference of a part of an Office Open XML package to another part or to a URL. */
export interface Relationship {
  /** The name of the part, or the URL. */
  readonly target: string;
  readonly isExternal: boolean;
  /** The last part of its type, such as `hyperlink` or `image`. */
  readonly kind: string;
}

/** The relationships of the part `name`, by their ids. */
export async function readRelationships(
  document: DocumentPackage,
  name: string,
): Promise<ReadonlyMap<string, Relationship>> {
  const folder = posix.dirname(name);
  const file = posix.join(folder, "_rels", `${posix.basename(name)}.rels`);
  const xml = await document.readXml(file);
  const rows = xml?.documentElement ? children(xml.documentElement, "Relationship") : [];
  return new Map(
    rows.map((row) => {
      const isExternal = attribute(row, "TargetMode") === "External";
      const target = attribute(row, "Target") ?? "";
      const kind = (attribute(row, "Type") ?? "").split("/").at(-1) ?? "";
      const resolved = isExternal ? target : resolvePart(folder, target);
      return [attribute(row, "Id") ?? "", { target: resolved, isExternal, kind }] as const;
    }),
  );
}

function resolvePart(folder: string, target: string): string {
  return target.startsWith("/") ? posix.normalize(target).slice(1) : posix.join(folder, target);
}
