import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";
import { badStructures } from "#tests/hostile/documents/bad-structures.ts";
import { maliciousMetadata, oversizedMetadata } from "#tests/hostile/media/bad-metadata.ts";
import { containsSecret } from "#tests/samples/metadata.ts";

describeBadInputs(
  [...maliciousMetadata, ...oversizedMetadata, ...badStructures],
  async ({ outputs: [output], result }, row, { id }) => {
    const path = output?.path ?? "";
    // The prototype of all objects is unchanged.
    expect(Object.keys(Object.prototype)).toEqual([]);
    if (id === "pipeline/file-inspect") {
      const text = readFileSync(path, "utf8");
      expect(text.length).toBeLessThan(200_000);
      expect(text).not.toContain('"__proto__":');
      expect(JSON.parse(text)).toEqual(result);
      if (maliciousMetadata.includes(row)) expect(text).toContain("Secret");
    }
    if (id === "pipeline/strip-metadata") expect(await containsSecret(path)).toBe(false);
  },
);
