import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import { invalidForm, unsupportedFormat, unsupportedSplit } from "../base/errors.ts";
import { parseInteger } from "../base/go-values.ts";
import { any, mapOf, string } from "../base/unmarshal.ts";
import type { Form } from "../form/form.ts";
import { type Encryption, encryptionSteps, readEncryption, requirePassword } from "./encryption.ts";
import { type Invoice, invoiceSteps, readInvoice, requireInvoice } from "./invoice.ts";
import { toSelection } from "./page-selection.ts";
import { type Naming, type Step, step } from "./plan.ts";
import { readStamps } from "./stamps.ts";

/** What every route may do with its PDF files, in Gotenberg's order. */
export interface Finishing {
  readonly split: SplitMode | undefined;
  readonly stamps: readonly Step[];
  readonly rotation: Step | undefined;
  readonly flattens: boolean;
  readonly optimization: Step | undefined;
  readonly formats: PdfFormats;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly embeds: readonly UploadedFile[];
  readonly embedsMetadata: EmbedsMetadata;
  readonly encryption: Encryption;
  readonly invoice: Invoice;
}

/** Properties of embedded files, by their names. */
export type EmbedsMetadata = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface SplitMode {
  readonly mode: string;
  readonly span: string;
  readonly unifies: boolean;
}

export interface PdfFormats {
  readonly pdfA: string;
  readonly pdfUa: boolean;
}

/** Reads the fields. Faults are collected by `form`; call `requireCompatible` after its `validate`. */
export function readFinishing(form: Form, { flattens = true, splits = true } = {}): Finishing {
  return {
    split: splits ? readSplit(form) : undefined,
    formats: readFormats(form),
    metadata: readMetadata(form),
    encryption: readEncryption(form),
    stamps: [...readStamps(form, "watermark"), ...readStamps(form, "stamp")],
    rotation: readRotation(form),
    embeds: form.filesOf("embeds"),
    embedsMetadata: readEmbedsMetadata(form),
    optimization: readOptimization(form),
    invoice: readInvoice(form),
    flattens: flattens && form.bool("flatten", false),
  };
}

export function readSplit(form: Form): SplitMode | undefined {
  const mode = form.parse("splitMode", "", (text) => {
    if (text === "intervals" || text === "pages") return text;
    throw new Error("wrong value, expected either 'intervals' or 'pages'");
  });
  const span = form.parse("splitSpan", "", (text) => {
    const compact = text.replaceAll(/\s+/g, "");
    if (mode === "intervals" && parseInteger(compact) < 1)
      throw new Error("value is inferior to 1");
    return compact;
  });
  const unifies = form.bool("splitUnify", false);
  if (unifies && mode !== "pages") {
    form.reject("splitUnify", `unify is not available for split mode '${mode}'`);
  }
  return mode ? { mode, span, unifies } : undefined;
}

export function readFormats(form: Form): PdfFormats {
  return { pdfA: form.text("pdfa"), pdfUa: form.bool("pdfua", false) };
}

export function readMetadata(form: Form): Readonly<Record<string, unknown>> {
  return form.json("metadata", mapOf(any));
}

export function readRotation(form: Form): Step | undefined {
  const angle = form.parse("rotateAngle", 0, (text) => {
    const value = parseInteger(text);
    if ([90, 180, 270].includes(value)) return value;
    throw new Error("wrong value, expected 90, 180, or 270");
  });
  const pages = form.parse("rotatePages", undefined, toSelection);
  if (angle === 0) return undefined;
  const fields = { angle: "rotateAngle", pages: "rotatePages" };
  return step("document/rotate-pdf", { angle, ...(pages ? { pages } : {}) }, { fields });
}

export function readEmbedsMetadata(form: Form): EmbedsMetadata {
  return form.jsonUnlessFaulty("embedsMetadata", mapOf(mapOf(string)));
}

export function readImageQuality(form: Form): number {
  return form.parse("imageQuality", 80, (text) => {
    const value = parseInteger(text);
    if (value < 1) throw new Error("value is inferior to 1");
    if (value > 100) throw new Error("value is superior to 100");
    return value;
  });
}

function readOptimization(form: Form): Step | undefined {
  const quality = readImageQuality(form);
  return form.bool("optimizeImages", false) ? optimize(quality) : undefined;
}

/** Only the quality of pictures changes, not their resolution, so the levels are those of the operation. */
export function optimize(imageQuality: number): Step {
  const fields = { image_quality: "imageQuality" };
  return step(
    "document/compress-pdf",
    { quality: "high", image_quality: imageQuality },
    { fields },
  );
}

/** Throws `GotenbergError` for combinations that no PDF can have. */
export function requireCompatible({ formats, encryption, embeds, invoice }: Finishing): void {
  const { pdfA } = formats;
  if (pdfA !== "" && encryption.userPassword !== "") {
    throw invalidForm("PDF/A format is incompatible with encryption");
  }
  if (pdfA !== "" && embeds.length > 0 && !/^PDF\/A-3[abu]$/.test(pdfA)) {
    throw invalidForm(
      `PDF format '${pdfA}' does not support embedded files; only PDF/A-3 variants allow attachments`,
    );
  }
  requirePassword(encryption);
  requireInvoice(invoice, pdfA);
}

/** The steps after a file is a PDF. `bookmarks` come after the conversion to PDF/A. */
export function finishingSteps(finishing: Finishing, bookmarks: readonly Step[] = []): Step[] {
  const { split, stamps, rotation, flattens, optimization, formats, metadata } = finishing;
  const invoice = invoiceSteps(finishing.invoice);
  return [
    ...(split ? [splitStep(split)] : []),
    ...stamps,
    ...(rotation ? [rotation] : []),
    ...(flattens ? [step("document/flatten-pdf")] : []),
    ...(optimization ? [optimization] : []),
    ...formatSteps(invoice.length > 0 ? { ...formats, pdfA: "" } : formats),
    ...invoice,
    ...bookmarks,
    ...metadataSteps(metadata),
    ...embedSteps(finishing.embeds, finishing.embedsMetadata),
    ...encryptionSteps(finishing.encryption),
  ];
}

export function splitStep({ mode, span, unifies }: SplitMode): Step {
  const number: Naming = { kind: "number" };
  const fields = { every: "splitSpan", pages: "splitSpan" };
  if (mode === "intervals") {
    return step("document/split-pdf", { every: Number(span) }, { naming: number, fields });
  }
  const pages = readSpan(span);
  if (unifies) return step("document/extract-pages", { pages }, { fields });
  return step("document/split-pdf", { pages }, { naming: number, fields });
}

function readSpan(span: string): string {
  try {
    return toSelection(span);
  } catch {
    throw unsupportedSplit;
  }
}

const levels: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "PDF/A-1a": "1b",
    "PDF/A-1b": "1b",
    "PDF/A-2a": "2b",
    "PDF/A-2b": "2b",
    "PDF/A-2u": "2b",
    "PDF/A-3a": "3b",
    "PDF/A-3b": "3b",
    "PDF/A-3u": "3b",
  }),
);

/** Throws for an unknown level. */
export function formatSteps({ pdfA, pdfUa }: PdfFormats): Step[] {
  if (pdfA === "" && !pdfUa) return [];
  const level = pdfA === "" ? undefined : levels.get(pdfA);
  if (pdfA !== "" && level === undefined) throw unsupportedFormat;
  return [
    ...(level ? [step("document/pdf-a", { level })] : []),
    ...(pdfUa ? [step("document/pdf-ua")] : []),
  ];
}

export function metadataSteps(metadata: Readonly<Record<string, unknown>>): Step[] {
  if (Object.keys(metadata).length === 0) return [];
  return [step("document/set-metadata", { tags: metadata }, { fields: { tags: "metadata" } })];
}

export function embedSteps(
  embeds: readonly UploadedFile[],
  embedsMetadata: EmbedsMetadata,
): Step[] {
  if (embeds.length === 0) return [];
  const files = embeds.map(({ filename }) => {
    const { mimeType, relationship } = embedsMetadata[filename] ?? {};
    return {
      name: filename,
      ...(typeof mimeType === "string" ? { type: mimeType } : {}),
      ...(typeof relationship === "string" ? { relationship: relationship.toLowerCase() } : {}),
    };
  });
  const fields = { files: "embedsMetadata" };
  return [step("document/attach-files", { files }, { others: embeds, fields })];
}
