import { PDFDict, PDFName, PDFStream } from "@cantoo/pdf-lib";
import { key } from "#lib/formats/pdf/forms/collect-fields.ts";
import { hasRemovableText } from "./marked-content.ts";
import { tokenize } from "./tokenize.ts";

interface UsedNames {
  readonly objects: ReadonlySet<PDFName>;
  readonly properties: ReadonlySet<PDFName>;
}

/** The XObjects that a content draws, and its property lists, by their names in the resources. */
function collectUsedNames(content: string, resources: PDFDict): UsedNames {
  const objects = new Set<PDFName>();
  const properties = new Set<PDFName>();
  const given = resources.lookup(key("XObject"));
  const contents = [content];
  for (let next = contents.pop(); next !== undefined; next = contents.pop()) {
    for (const { operator, operands } of tokenize(next)) {
      const operand = operands.at(-1);
      if (operand?.kind !== "name") continue;
      const name = PDFName.of(operand.text);
      if (operator === "BDC" || operator === "DP") properties.add(name);
      if (operator !== "Do" || objects.has(name)) continue;
      objects.add(name);
      const object = given instanceof PDFDict ? given.lookup(name) : undefined;
      if (usesOuterResources(object)) {
        contents.push(Buffer.from(object.getContents()).toString("latin1"));
      }
    }
  }
  return { objects, properties };
}

/** Whether an object is a form without resources, which uses those of the content that draws it. */
function usesOuterResources(object: unknown): object is PDFStream {
  if (!(object instanceof PDFStream)) return false;
  const isForm = object.dict.lookup(key("Subtype")) !== key("Image");
  return isForm && !(object.dict.lookup(key("Resources")) instanceof PDFDict);
}

/** Removes the XObjects that a content does not draw any more, and texts that it does not mark with. */
export function dropUnused(resources: PDFDict, content: string): void {
  const used = collectUsedNames(content, resources);
  const drop = (category: string, drops: (name: PDFName, value: unknown) => boolean) => {
    const given = resources.lookup(key(category));
    if (!(given instanceof PDFDict)) return;
    const kept = given.clone();
    for (const name of kept.keys()) if (drops(name, given.lookup(name))) kept.delete(name);
    resources.set(key(category), kept);
  };
  drop("XObject", (name) => !used.objects.has(name));
  drop("Properties", (name, value) => {
    return value instanceof PDFDict && hasRemovableText(value) && !used.properties.has(name);
  });
}
