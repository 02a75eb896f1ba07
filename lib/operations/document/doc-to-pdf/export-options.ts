import { z } from "zod";
import type { PrintView } from "#lib/engines/libreoffice/libreoffice.ts";

/** Options of LibreOffice's export as PDF, by their names in requests. */

const flag = z.boolean().optional();
const text = z
  .string()
  .min(1)
  .max(200)
  .refine((value) => value.isWellFormed() && !/\p{Cc}/u.test(value), "must be one line of text")
  .optional();
const number = (min: number, max: number) => z.int().min(min).max(max).optional();

const fields = {
  landscape: flag,
  update_indexes: flag,
  form_fields: flag,
  duplicate_field_names: flag,
  bookmarks: flag,
  bookmarks_to_destinations: flag,
  placeholders: flag,
  notes: flag,
  notes_pages: flag,
  only_notes_pages: flag,
  notes_in_margin: flag,
  office_links_to_pdf: flag,
  relative_links: flag,
  hidden_slides: flag,
  skip_empty_pages: flag,
  embed_original: flag,
  single_page_sheets: flag,
  lossless_images: flag,
  quality: number(1, 100),
  reduce_resolution: flag,
  max_resolution: z.literal([75, 150, 300, 600, 1200]).optional(),
  initial_view: number(0, 2),
  initial_page: number(1, 100_000),
  magnification: number(0, 4),
  zoom: number(1, 1600),
  page_layout: number(0, 3),
  first_page_left: flag,
  resize_window: flag,
  center_window: flag,
  full_screen: flag,
  display_title: flag,
  hide_menubar: flag,
  hide_toolbar: flag,
  hide_window_controls: flag,
  transition_effects: flag,
  open_bookmark_levels: number(-1, 10),
  watermark: text,
  watermark_color: number(0, 0xffffff),
  watermark_font_height: number(0, 1000),
  watermark_angle: number(-3600, 3600),
  watermark_font: text,
  tiled_watermark: text,
};

export const exportOptions = z
  .strictObject(fields)
  .optional()
  .meta({
    description: `Options of LibreOffice's export as PDF: ${Object.keys(fields).join(", ")}. They mean what LibreOffice's documentation of PDF export says; what is left out has its default.`,
    control: "json",
  });

type ExportOptions = NonNullable<z.output<typeof exportOptions>>;

/** The names in LibreOffice's filter of those that it knows. */
const filterNames: Readonly<Partial<Record<keyof ExportOptions, string>>> = {
  form_fields: "ExportFormFields",
  duplicate_field_names: "AllowDuplicateFieldNames",
  bookmarks: "ExportBookmarks",
  bookmarks_to_destinations: "ExportBookmarksToPDFDestination",
  placeholders: "ExportPlaceholders",
  notes: "ExportNotes",
  notes_pages: "ExportNotesPages",
  only_notes_pages: "ExportOnlyNotesPages",
  notes_in_margin: "ExportNotesInMargin",
  office_links_to_pdf: "ConvertOOoTargetToPDFTarget",
  relative_links: "ExportLinksRelativeFsys",
  hidden_slides: "ExportHiddenSlides",
  skip_empty_pages: "IsSkipEmptyPages",
  embed_original: "IsAddStream",
  single_page_sheets: "SinglePageSheets",
  lossless_images: "UseLosslessCompression",
  quality: "Quality",
  reduce_resolution: "ReduceImageResolution",
  max_resolution: "MaxImageResolution",
  initial_view: "InitialView",
  initial_page: "InitialPage",
  magnification: "Magnification",
  zoom: "Zoom",
  page_layout: "PageLayout",
  first_page_left: "FirstPageOnLeft",
  resize_window: "ResizeWindowToInitialPage",
  center_window: "CenterWindow",
  full_screen: "OpenInFullScreenMode",
  display_title: "DisplayPDFDocumentTitle",
  hide_menubar: "HideViewerMenubar",
  hide_toolbar: "HideViewerToolbar",
  hide_window_controls: "HideViewerWindowControls",
  transition_effects: "UseTransitionEffects",
  open_bookmark_levels: "OpenBookmarkLevels",
  watermark: "Watermark",
  watermark_color: "WatermarkColor",
  watermark_font_height: "WatermarkFontHeight",
  watermark_angle: "WatermarkRotateAngle",
  watermark_font: "WatermarkFontName",
  tiled_watermark: "TiledWatermark",
};

/** How LibreOffice prints with these options. */
export function toPrintView(options: ExportOptions): PrintView {
  const { landscape, update_indexes: updateIndexes, single_page_sheets: singlePage } = options;
  const filterData: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(options)) {
    const known = filterNames[name as keyof ExportOptions]; // a key of the schema
    if (known && value !== undefined) filterData[known] = value;
  }
  return {
    ...(landscape ? { landscape } : {}),
    ...(updateIndexes ? { updateIndexes } : {}),
    // A sheet that is a page of its own needs no scale.
    ...(singlePage ? { fit: "never" } : {}),
    filterData,
  };
}
