import type { QpdfJob } from "#lib/engines/pdf/run-qpdf.ts";

/** What a reader without the owner password may be allowed to do. */
export const permissions = [
  "print",
  "print-low-resolution",
  "copy",
  "modify",
  "annotate",
  "fill-forms",
  "assemble",
] as const;

type Permission = (typeof permissions)[number];

/** The options of qpdf's 256-bit encryption. Access for screen readers is always allowed (PDF 2.0). */
export function encryptionOptions(allowed: readonly Permission[]): QpdfJob {
  const flag = (permission: Permission) => (allowed.includes(permission) ? "y" : "n");
  const lowResolution = allowed.includes("print-low-resolution") ? "low" : "none";
  return {
    print: allowed.includes("print") ? "full" : lowResolution,
    extract: flag("copy"),
    modifyOther: flag("modify"),
    annotate: flag("annotate"),
    form: flag("fill-forms"),
    assemble: flag("assemble"),
  };
}
