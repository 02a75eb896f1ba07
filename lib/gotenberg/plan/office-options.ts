import { parseInteger } from "../base/go-values.ts";
import type { Form } from "../form/form.ts";
import type { FieldNames } from "./plan.ts";

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

/** The form fields of the parameters. */
export const officeFieldNames: FieldNames = {
  password: "password",
  "export_options.open_bookmark_levels": "openBookmarkLevels",
  "export_options.lossless_images": "losslessImageCompression",
  "export_options.quality": "quality",
  "export_options.reduce_resolution": "reduceImageResolution",
  "export_options.max_resolution": "maxImageResolution",
  "export_options.watermark": "nativeWatermarkText",
  "export_options.watermark_font": "nativeWatermarkFontName",
  "export_options.tiled_watermark": "nativeTiledWatermarkText",
  ...Object.fromEntries(
    [...switches, ...numbers, ...viewerSwitches, ...watermarks].map(([field, name]) => [
      `export_options.${name}`,
      field,
    ]),
  ),
};

/** The options of LibreOffice's export that the form sets, in the order of Gotenberg's error messages. */
export function readExportOptions(form: Form): Record<string, unknown> {
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
