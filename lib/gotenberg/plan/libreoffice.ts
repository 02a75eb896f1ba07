import type { UploadedFile } from "#lib/api/http/store-upload.ts";
import type { MediaTypeId } from "#lib/media/types.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { acceptsType } from "#lib/operations/define.ts";
import { GotenbergError, invalidForm } from "../base/errors.ts";
import { parseInteger } from "../base/go-values.ts";
import type { Form } from "../form/form.ts";
import { finishingSteps, formatSteps, readFinishing, requireCompatible } from "./finishing.ts";
import { officeExtensions } from "./office-extensions.ts";
import { type JobFailure, type Plan, type Step, step, type Task } from "./plan.ts";

/** Plans `/forms/libreoffice/convert`. Throws `GotenbergError`. */
export function planOffice(form: Form): Plan {
  const finishing = readFinishing(form);
  const files = form.requireFiles(officeExtensions);
  const password = form.text("password");
  const ranges = form.text("nativePageRanges");
  const options = readExportOptions(form);
  form.bool("nativePdfFormats", true);
  const merges = form.bool("merge", false);
  form.validate();
  requireCompatible(finishing);
  const { pdfA } = finishing.formats;
  try {
    formatSteps(finishing.formats);
  } catch (error) {
    if (!(error instanceof GotenbergError)) throw error;
    throw new GotenbergError(
      400,
      `The PDF format '${pdfA}' is not supported. Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.`,
    );
  }
  if (ranges !== "" && !/^[\d\s,-]+$/.test(ranges)) throw badRanges(ranges, files[0]?.filename);
  const isSingle = files.length === 1;
  const others = files.filter(({ type }) => !takes("document/doc-to-pdf", type.id));
  const pages = ranges.replaceAll(/\s+/g, "");
  const convert = step(
    "document/doc-to-pdf",
    {
      ...(password ? { password } : {}),
      ...(pages ? { page_ranges: pages } : {}),
      ...(Object.keys(options).length > 0 ? { export_options: options } : {}),
    },
    {
      otherTasks: new Map(
        others.map((file) => [file.filename, taskFor(file, pages, options.landscape === true)]),
      ),
      naming:
        isSingle && !finishing.split ? { kind: "none" } : { kind: "append", extension: "pdf" },
    },
  );
  const merge: Step[] =
    merges && files.length > 1
      ? [
          step(
            "document/merge-pdf",
            { bookmarks: "none" },
            { takes: "all", naming: { kind: "none" } },
          ),
        ]
      : [];
  return {
    source: { files },
    steps: [convert, ...merge, ...finishingSteps(finishing)],
    explain: (failure) => explainOffice(failure, { password, ranges }),
  };
}

/**
 * What converts a file that is no office document: LibreOffice would draw it again. A PDF is only shortened. The
 * password is that of office documents.
 */
function taskFor({ type }: UploadedFile, pages: string, landscape: boolean): Task | undefined {
  if (type.id === "pdf") {
    return pages ? { operation: "document/extract-pages", params: { pages } } : undefined;
  }
  if (type.id === "html") {
    const params = { landscape, ...(pages ? { page_ranges: pages } : {}) };
    return { operation: "document/html-to-pdf", params };
  }
  const drawing = "document/images-to-pdf";
  return { operation: takes(drawing, type.id) ? drawing : "document/doc-to-pdf", params: {} };
}

function takes(id: string, type: MediaTypeId): boolean {
  const operation = findOperation(id);
  return operation !== undefined && acceptsType(operation, type);
}

const conversions: ReadonlySet<string> = new Set([
  "document/doc-to-pdf",
  "document/extract-pages",
  "document/html-to-pdf",
  "document/images-to-pdf",
]);

const numbers: readonly (readonly [string, string, (value: number) => string | undefined])[] = [
  ["initialView", "initial_view", oneOf("0, 1 or 2", [0, 1, 2])],
  ["initialPage", "initial_page", atLeast(1)],
  ["magnification", "magnification", oneOf("0, 1, 2, 3 or 4", [0, 1, 2, 3, 4])],
  ["zoom", "zoom", atLeast(1)],
  ["pageLayout", "page_layout", oneOf("0, 1, 2 or 3", [0, 1, 2, 3])],
];

const switches: readonly (readonly [string, string])[] = [
  ["landscape", "landscape"],
  ["updateIndexes", "update_indexes"],
  ["exportFormFields", "form_fields"],
  ["allowDuplicateFieldNames", "duplicate_field_names"],
  ["exportBookmarks", "bookmarks"],
  ["exportBookmarksToPdfDestination", "bookmarks_to_destinations"],
  ["exportPlaceholders", "placeholders"],
  ["exportNotes", "notes"],
  ["exportNotesPages", "notes_pages"],
  ["exportOnlyNotesPages", "only_notes_pages"],
  ["exportNotesInMargin", "notes_in_margin"],
  ["convertOooTargetToPdfTarget", "office_links_to_pdf"],
  ["exportLinksRelativeFsys", "relative_links"],
  ["exportHiddenSlides", "hidden_slides"],
  ["skipEmptyPages", "skip_empty_pages"],
  ["addOriginalDocumentAsStream", "embed_original"],
  ["singlePageSheets", "single_page_sheets"],
];

const viewerSwitches: readonly (readonly [string, string])[] = [
  ["firstPageOnLeft", "first_page_left"],
  ["resizeWindowToInitialPage", "resize_window"],
  ["centerWindow", "center_window"],
  ["openInFullScreenMode", "full_screen"],
  ["displayPDFDocumentTitle", "display_title"],
  ["hideViewerMenubar", "hide_menubar"],
  ["hideViewerToolbar", "hide_toolbar"],
  ["hideViewerWindowControls", "hide_window_controls"],
  ["useTransitionEffects", "transition_effects"],
];

const watermarks: readonly (readonly [string, string])[] = [
  ["nativeWatermarkColor", "watermark_color"],
  ["nativeWatermarkFontHeight", "watermark_font_height"],
  ["nativeWatermarkRotateAngle", "watermark_angle"],
];

/** The options of LibreOffice's export that the form sets, in the order of Gotenberg's error messages. */
function readExportOptions(form: Form): Record<string, unknown> {
  const options: Record<string, unknown> = {};
  const set = (name: string, value: unknown) => {
    if (value !== undefined) options[name] = value;
  };
  const bool = (field: string) => {
    const value = form.bool(field, false);
    return form.text(field) ? value : undefined;
  };
  const integer = (field: string, check: (value: number) => string | undefined) =>
    form.parse<number | undefined>(field, undefined, (text) => {
      const value = parseInteger(text);
      const problem = check(value);
      if (problem) throw new Error(problem);
      return value;
    });
  for (const [field, name] of switches) set(name, bool(field));
  for (const [field, name, check] of numbers) set(name, integer(field, check));
  for (const [field, name] of viewerSwitches) set(name, bool(field));
  set(
    "open_bookmark_levels",
    integer("openBookmarkLevels", (value) =>
      value === -1 || (value >= 1 && value <= 10)
        ? undefined
        : "value is not -1 or between 1 and 10",
    ),
  );
  set("lossless_images", bool("losslessImageCompression"));
  set(
    "quality",
    integer("quality", (value) => {
      if (value < 1) return "value is inferior to 1";
      return value > 100 ? "value is superior to 100" : undefined;
    }),
  );
  set("reduce_resolution", bool("reduceImageResolution"));
  set(
    "max_resolution",
    integer("maxImageResolution", oneOf("75, 150, 300, 600 or 1200", [75, 150, 300, 600, 1200])),
  );
  set("watermark", form.text("nativeWatermarkText") || undefined);
  for (const [field, name] of watermarks) {
    set(name, integer(field, field === "nativeWatermarkFontHeight" ? atLeast(0) : () => undefined));
  }
  set("watermark_font", form.text("nativeWatermarkFontName") || undefined);
  set("tiled_watermark", form.text("nativeTiledWatermarkText") || undefined);
  return options;
}

function oneOf(list: string, allowed: readonly number[]) {
  return (value: number) => (allowed.includes(value) ? undefined : `value is not ${list}`);
}

function atLeast(min: number) {
  return (value: number) => (value < min ? `value is inferior to ${min}` : undefined);
}

/** Failures of the service, not of the document. */
const ownFailures: ReadonlySet<string> = new Set(["internal", "engine_crashed", "out_of_memory"]);

function explainOffice(
  { code, message, filename = "", operation }: JobFailure,
  { password, ranges }: { readonly password: string; readonly ranges: string },
): GotenbergError | undefined {
  if (!conversions.has(operation)) return undefined;
  if (code === "encrypted" && password === "") {
    return new GotenbergError(
      400,
      `The document '${filename}' is password-protected. Provide its password in the 'password' form field.`,
    );
  }
  if (code === "encrypted") {
    return new GotenbergError(
      400,
      `The password for the document '${filename}' is incorrect. Check the 'password' form field.`,
    );
  }
  if (/not protected/.test(message)) {
    return new GotenbergError(
      400,
      `The document '${filename}' is not password-protected. Remove the 'password' form field.`,
    );
  }
  if (code === "empty" || /`page_ranges`/.test(message)) return badRanges(ranges, filename);
  if (code === "corrupt" || code === "unsupported_type" || code === "invalid_input") {
    return new GotenbergError(
      400,
      `LibreOffice could not read the document '${filename}'. Ensure the file is not corrupted and that its extension matches its actual format.`,
    );
  }
  if (code === "too_complex") {
    return new GotenbergError(
      400,
      `LibreOffice read the document '${filename}' but could not convert it to PDF. The document may be corrupted or rely on an unsupported feature.`,
    );
  }
  if (code === "invalid_parameter") return invalidForm(message);
  if (!ownFailures.has(code)) return undefined;
  return new GotenbergError(
    500,
    `LibreOffice failed to convert the document '${filename}'. This is usually a resource issue: increase the container's memory and CPU, or reduce the document's size. The request is valid and may be retried.`,
  );
}

function badRanges(ranges: string, filename = ""): GotenbergError {
  return new GotenbergError(
    400,
    `LibreOffice could not apply the page ranges '${ranges}' to the document '${filename}'. Check the 'nativePageRanges' form field; valid values look like '1-4', '2' or '1,3,5-7'.`,
  );
}
