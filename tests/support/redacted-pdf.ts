import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { redact } from "#lib/operations/document/redact/index.ts";
import { execProgram } from "#tests/samples/zygote/exec-program.ts";
import { runOperation, temporaryWorkFolder } from "./operation.ts";

/** Redacts PDFs, and reads what is left of them. */

export function savePdf(bytes: Buffer) {
  const path = join(temporaryWorkFolder().root, "secret.pdf");
  writeFileSync(path, bytes);
  return { path, type: "pdf" } as const;
}

/** The redacted PDF, which is checked for its syntax. */
export async function redactPdf(params: Record<string, unknown>, bytes: Buffer) {
  const { outputs, result, warnings } = await runOperation(redact, savePdf(bytes), params);
  const path = outputs[0]?.path ?? "";
  expect(execProgram("qpdf", ["--check", path], { encoding: "utf8" })).toContain("No syntax");
  return { path, result, warnings };
}

export const textOfPdf = (path: string) =>
  execProgram("pdftotext", ["-layout", path, "-"], { encoding: "utf8" });

/** All decoded streams and objects, and strings as text. */
export function sourceOfPdf(path: string): string {
  const qdf = execProgram("qpdf", ["--qdf", "--object-streams=disable", path, "-"]).toString(
    "latin1",
  );
  return qdf.replace(/<([0-9a-fA-F\s]+)>/g, (_, hex: string) => {
    return `(${Buffer.from(hex.replace(/\s/g, ""), "hex").toString("latin1").replaceAll("\0", "")})`;
  });
}

/** The gray value at a point of the page, in points from its top left. */
export function grayAt(path: string, x: number, y: number): number | undefined {
  const crop = ["-x", `${x}`, "-y", `${y}`, "-W", "1", "-H", "1"];
  return execProgram("pdftoppm", ["-r", "72", "-gray", "-singlefile", ...crop, path]).at(-1);
}
