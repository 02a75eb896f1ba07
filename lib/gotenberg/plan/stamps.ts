import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import { GotenbergError, invalidForm } from "../base/errors.ts";
import { mapOf, string, unmarshal } from "../base/unmarshal.ts";
import { type Form, wrongContent } from "../form/form.ts";
import { toSelection } from "./page-selection.ts";
import { type FieldNames, type Step, step } from "./plan.ts";

/** Stamps are drawn over the content of pages, watermarks under it. */
export type StampKind = "stamp" | "watermark";

const sources: readonly string[] = ["text", "image", "pdf"];

/** Reads the stamps or watermarks of a form, whose fields may be repeated, as steps. Throws `GotenbergError`. */
export function readStamps(form: Form, kind: StampKind): Step[] {
  const files = form.filesOf(kind);
  let used = 0;
  return form.all(`${kind}Source`).map((source, index) => {
    if (!sources.includes(source)) {
      throw invalidForm(
        `form field '${kind}Source' is invalid (got '${source}', resulting to wrong value, expected either 'text', 'image' or 'pdf')`,
      );
    }
    const options = readOptions(form.all(`${kind}Options`)[index], kind);
    const pages = form.all(`${kind}Pages`)[index];
    const params = {
      ...options,
      ...(pages ? { pages: readPages(pages, kind) } : {}),
      ...(kind === "watermark" ? { layer: "under" } : {}),
    };
    if (source === "text") {
      const text = form.all(`${kind}Expression`)[index] ?? "";
      if (text === "") throw unsupportedSource();
      return step("document/watermark-pdf", { text, ...params }, { fields: fieldsOf(kind) });
    }
    const file: UploadedFile | undefined = files[used++];
    if (!file) throw invalidForm(`a ${kind} file is required for image or pdf source`);
    const isOfSource = source === "pdf" ? file.type.id === "pdf" : file.type.kind === "image";
    if (!isOfSource) {
      throw invalidForm(wrongContent(file, source === "pdf" ? "PDF" : "image"));
    }
    const parts = { watermark: file };
    return step("document/watermark-pdf", params, { parts, fields: fieldsOf(kind) });
  });
}

function unsupportedSource(): GotenbergError {
  return new GotenbergError(
    400,
    "The requested stamp source is not supported, or no PDF engine could process it. Valid sources: 'text', 'image', 'pdf'.",
  );
}

const positions: ReadonlyMap<string, string> = new Map(
  Object.entries({
    tl: "top-left",
    tc: "top",
    tr: "top-right",
    l: "left",
    c: "center",
    r: "right",
    bl: "bottom-left",
    bc: "bottom",
    br: "bottom-right",
  }),
);

/** As `DefaultWatermarkConfig` of pdfcpu has them. Its diagonal rises to the right, for images and pages as well. */
const defaults = { angle: -45, opacity: 1, scale: 0.5 };

/** The options of pdfcpu that have a counterpart: rotation, opacity, scale, position and color. */
function readOptions(text: string | undefined, kind: StampKind): Record<string, unknown> {
  if (!text) return defaults;
  let given: Record<string, string>;
  try {
    given = unmarshal(text, mapOf(string));
  } catch (cause) {
    throw Object.assign(invalidForm(`form field '${kind}Options' is invalid`), { cause });
  }
  const options = new Map(Object.entries(given));
  const find = (...names: string[]) =>
    names.map((name) => options.get(name)).find((value) => value !== undefined);
  const rotation = Number(find("rotation", "rot"));
  const opacity = Number(find("opacity", "op"));
  const scale = Number.parseFloat(find("scalefactor", "scale", "sc") ?? "");
  const position = positions.get(find("position", "pos") ?? "");
  const color = find("fillcolor", "fillc", "color", "col");
  return {
    ...defaults,
    // pdfcpu turns counterclockwise.
    ...(Number.isFinite(rotation) && find("rotation", "rot") ? { angle: -rotation } : {}),
    ...(opacity >= 0 && opacity <= 1 && find("opacity", "op") ? { opacity } : {}),
    ...(scale >= 0.01 && scale <= 1 ? { scale } : {}),
    ...(position ? { position } : {}),
    ...(color && /^#[0-9a-f]{6}$/i.test(color) ? { color } : {}),
  };
}

function fieldsOf(kind: StampKind): FieldNames {
  const options = ["angle", "opacity", "scale", "position", "color"];
  return {
    text: `${kind}Expression`,
    pages: `${kind}Pages`,
    watermark: kind,
    ...Object.fromEntries(options.map((name) => [name, `${kind}Options`])),
  };
}

function readPages(text: string, kind: StampKind): string {
  try {
    return toSelection(text);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : "";
    throw invalidForm(
      `form field '${kind}Pages' is invalid (got '${text}', resulting to ${problem})`,
    );
  }
}
