import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { findReplaceableWords } from "./support/vocabulary.ts";

const root = dirname(import.meta.dirname);

/**
 * The files that are not ours to word, because they are generated, recorded, or the list itself.
 */
const exempt =
  /^(CHANGELOG\.md|drizzle\/|public\/|(?:.*\/)?package-lock\.json|tests\/support\/vocabulary\.ts|tests\/vocabulary\.test\.ts)/;

const texts = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root })
  .toString()
  .split("\n")
  .filter((file) => /\.(ts|tsx|mjs|cjs|py|md|json|ya?ml|css|html)$|Dockerfile$/.test(file))
  .filter((file) => !exempt.test(file) && existsSync(join(root, file)));

it("uses the field's standard terms, in code and in texts", () => {
  const hits = texts.flatMap((file) => {
    const inName = findReplaceableWords(file).map(
      ({ word, instead }) => `${file}: ${word} → ${instead}`,
    );
    const inText = findReplaceableWords(readFileSync(join(root, file), "utf8"));
    return [
      ...inName,
      ...inText.map(({ line, word, instead }) => `${file}:${line}: ${word} → ${instead}`),
    ];
  });
  expect(hits).toEqual([]);
});

it("finds a word inside an identifier, and leaves whole other words", () => {
  const words = (text: string) => findReplaceableWords(text).map(({ word }) => word);
  expect(words("const filmLength = TicketFor(x); // told_at")).toEqual(["film", "ticket", "told"]);
  expect(words("the filmography of a roommate, untold")).toEqual([]);
});

it("finds the files it is about", () => {
  expect(texts.length).toBeGreaterThan(700);
});
