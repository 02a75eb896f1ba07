import { execFileSync } from "node:child_process";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { engines } from "#lib/setup/engine-table.mjs";
import { defaultLanguages } from "./languages.ts";

const languagesModule = pathToFileURL(`${import.meta.dirname}/languages.ts`).href;
const tableModule = import.meta.resolve("#lib/setup/engine-table.mjs");

/** Evaluates an expression in a process with `OCR_LANGUAGES`. */
function evaluate(setting: string, expression: string): unknown {
  const script = `
    const { ocrLanguages, parseLanguages } = await import("${languagesModule}");
    const { engines } = await import("${tableModule}");
    console.log(JSON.stringify(${expression}));`;
  const env = { ...process.env, OCR_LANGUAGES: setting };
  const args = ["--input-type=module", "--eval", script];
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: "utf8" }));
}

test("OCR_LANGUAGES adds languages, which set-up installs", () => {
  const expression = `[
    ocrLanguages().slice(-3),
    parseLanguages("swe+eng"),
    parseLanguages("dan") ?? null,
    engines.flatMap(({ debian }) => debian).filter((name) => /swe|chi-tra/.test(name)),
  ]`;
  expect(evaluate("swe, CHI_TRA,eng", expression)).toEqual([
    ["hin", "swe", "chi-tra"],
    ["swe", "eng"],
    null,
    ["tesseract-ocr-swe", "tesseract-ocr-chi-tra"],
  ]);
});

test("a setting that is no list of codes stops the start", () => {
  expect(() => evaluate("swedish", "0")).toThrow(/OCR_LANGUAGES: must be a comma-separated list/);
});

test("set-up installs every default language", () => {
  const packages = engines.flatMap(({ debian }) => debian);
  for (const code of defaultLanguages) expect(packages).toContain(`tesseract-ocr-${code}`);
});
