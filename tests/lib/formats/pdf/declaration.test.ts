import { expect, it } from "vitest";
import {
  declaredConformance,
  declaredPart,
  declarePart,
  removeDeclaration,
} from "#lib/formats/pdf/archival/declaration.ts";

const asElements =
  "<a><pdfaid:part>2</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance><pdf:Keywords>pdfaid:part</pdf:Keywords></a>";
const asAttributes = `<a xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" pdfaid:part = '2' pdfaid:conformance="U" b="c"/>`;

it.each([asElements, asAttributes])("is read, changed and removed: %s", (packet) => {
  expect(declaredPart(packet)).toBe("2");
  expect(declaredConformance(packet)).toBe(packet === asElements ? "B" : "U");
  const changed = declarePart(packet, "3");
  expect(changed).toBe(packet.replace("2", "3"));
  expect(declaredPart(changed)).toBe("3");
  const removed = removeDeclaration(packet);
  expect(declaredPart(removed)).toBeUndefined();
  expect(removed).not.toContain("conformance");
  expect(removed).toMatch(/pdf:Keywords>pdfaid:part<|xmlns:pdfaid="[^"]+" b="c"/);
});

it("is not there without a number", () => {
  expect(declaredPart("")).toBeUndefined();
  expect(declaredConformance("")).toBeUndefined();
  expect(declaredPart("<pdfaid:part></pdfaid:part><pdfaid:partial>2</pdfaid:partial>")).toBe(
    undefined,
  );
});
