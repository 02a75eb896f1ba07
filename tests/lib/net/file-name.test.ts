import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { outputName } from "#lib/engines/worker/output-name.ts";
import { mediaType, mediaTypesOf } from "#lib/media/types.ts";
import { cleanFileName } from "#lib/net/file-name.ts";
import { temporaryFolder } from "#tests/support/processes.ts";

const types = mediaTypesOf("image", "video", "audio", "document", "other");
const characters = ["n", "é", "東", "😀", "e\u0301"];

test.each(characters)(
  "the name of an output for 300 × %s has at most 200 bytes and no partial characters",
  (one) => {
    for (let shift = 0; shift < 4; shift++) {
      const name = cleanFileName(`${"x".repeat(shift)}${one.repeat(300)}.png`);
      expect(name.endsWith(".png")).toBe(true);
      expect(name.isWellFormed()).toBe(true);
      for (const id of types) {
        const { extension } = mediaType(id);
        const output = outputName(name, { extension });
        expect(Buffer.byteLength(output)).toBeLessThanOrEqual(200);
        expect(Buffer.byteLength(output)).toBeGreaterThan(180);
      }
    }
  },
);

test("a name of a hundred characters of three bytes is valid on this disk", async () => {
  const path = join(await temporaryFolder(), cleanFileName(`${"東".repeat(100)}.png`));
  writeFileSync(path, "");
  expect(existsSync(path)).toBe(true);
});

test.each(["東京.png", `${"n".repeat(191)}.jpeg`, `${"n".repeat(191)}`])(
  "%s does not change",
  (name) => {
    expect(cleanFileName(name)).toBe(name);
  },
);
