import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { endlessMetadata, hostileMetadata } from "#tests/hostile/bad-metadata.ts";
import { badStructures } from "#tests/hostile/bad-structures.ts";
import { describeBadInputs } from "#tests/hostile/describe-bad-inputs.ts";
import { tellsSecret } from "#tests/samples/metadata.ts";

describeBadInputs(
  [...hostileMetadata, ...endlessMetadata, ...badStructures],
  async ({ outputs: [output], result }, row, { id }) => {
    const path = output?.path ?? "";
    // Nothing was put into what all objects have in common.
    expect(Object.keys(Object.prototype)).toEqual([]);
    if (id === "pipeline/file-inspect") {
      const text = readFileSync(path, "utf8");
      expect(text.length).toBeLessThan(200_000);
      expect(text).not.toContain('"__proto__":');
      expect(JSON.parse(text)).toEqual(result);
      if (hostileMetadata.includes(row)) expect(text).toContain("Secret");
    }
    if (id === "pipeline/strip-metadata") expect(await tellsSecret(path)).toBe(false);
  },
);
