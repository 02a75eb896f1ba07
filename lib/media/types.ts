/** The media types of the service, by the short name that the code uses. */

export type MediaKind = "image" | "video" | "audio" | "document" | "other";

export interface MediaType {
  readonly id: MediaTypeId;
  readonly kind: MediaKind;
  readonly mime: string;
  /** The extension of outputs of this type, without the dot. */
  readonly extension: string;
  /** The name for people, such as "JPEG". */
  readonly label: string;
}

const table = [
  ["jpeg", "image", "image/jpeg", "jpg", "JPEG"],
  ["png", "image", "image/png", "png", "PNG"],
  ["webp", "image", "image/webp", "webp", "WebP"],
  ["gif", "image", "image/gif", "gif", "GIF"],
  ["avif", "image", "image/avif", "avif", "AVIF"],
  ["tiff", "image", "image/tiff", "tiff", "TIFF"],
  ["heic", "image", "image/heic", "heic", "HEIC"],
  ["bmp", "image", "image/bmp", "bmp", "BMP"],
  ["svg", "image", "image/svg+xml", "svg", "SVG"],
  ["ico", "image", "image/vnd.microsoft.icon", "ico", "ICO"],
  ["jxl", "image", "image/jxl", "jxl", "JPEG XL"],
  ["jp2", "image", "image/jp2", "jp2", "JPEG 2000"],
  ["dng", "image", "image/x-adobe-dng", "dng", "DNG"],
  ["raw", "image", "image/x-dcraw", "raw", "camera RAW"],
  ["mp4", "video", "video/mp4", "mp4", "MP4"],
  ["mov", "video", "video/quicktime", "mov", "MOV"],
  ["mkv", "video", "video/x-matroska", "mkv", "MKV"],
  ["webm", "video", "video/webm", "webm", "WebM"],
  ["avi", "video", "video/x-msvideo", "avi", "AVI"],
  ["mpeg", "video", "video/mpeg", "mpg", "MPEG"],
  ["mpegts", "video", "video/mp2t", "ts", "MPEG-TS"],
  ["flv", "video", "video/x-flv", "flv", "FLV"],
  ["wmv", "video", "video/x-ms-wmv", "wmv", "WMV"],
  ["3gp", "video", "video/3gpp", "3gp", "3GP"],
  ["ogv", "video", "video/ogg", "ogv", "Ogg video"],
  ["mxf", "video", "application/mxf", "mxf", "MXF"],
  ["mp3", "audio", "audio/mpeg", "mp3", "MP3"],
  ["aac", "audio", "audio/aac", "aac", "AAC"],
  ["m4a", "audio", "audio/mp4", "m4a", "M4A"],
  ["ogg", "audio", "audio/ogg", "ogg", "Ogg Vorbis"],
  ["opus", "audio", "audio/ogg", "opus", "Opus"],
  ["flac", "audio", "audio/flac", "flac", "FLAC"],
  ["wav", "audio", "audio/wav", "wav", "WAV"],
  ["aiff", "audio", "audio/aiff", "aiff", "AIFF"],
  ["caf", "audio", "audio/x-caf", "caf", "CAF"],
  ["amr", "audio", "audio/amr", "amr", "AMR"],
  ["ac3", "audio", "audio/ac3", "ac3", "AC-3"],
  ["wv", "audio", "audio/x-wavpack", "wv", "WavPack"],
  ["wma", "audio", "audio/x-ms-wma", "wma", "WMA"],
  ["pdf", "document", "application/pdf", "pdf", "PDF"],
  ["html", "document", "text/html", "html", "HTML"],
  [
    "docx",
    "document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "docx",
    "DOCX",
  ],
  [
    "xlsx",
    "document",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "xlsx",
    "XLSX",
  ],
  [
    "pptx",
    "document",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "pptx",
    "PPTX",
  ],
  ["odt", "document", "application/vnd.oasis.opendocument.text", "odt", "ODT"],
  ["ods", "document", "application/vnd.oasis.opendocument.spreadsheet", "ods", "ODS"],
  ["odp", "document", "application/vnd.oasis.opendocument.presentation", "odp", "ODP"],
  ["doc", "document", "application/msword", "doc", "DOC"],
  ["xls", "document", "application/vnd.ms-excel", "xls", "XLS"],
  ["ppt", "document", "application/vnd.ms-powerpoint", "ppt", "PPT"],
  ["odg", "document", "application/vnd.oasis.opendocument.graphics", "odg", "ODG"],
  ["fodt", "document", "application/vnd.oasis.opendocument.text-flat-xml", "fodt", "FODT"],
  ["fods", "document", "application/vnd.oasis.opendocument.spreadsheet-flat-xml", "fods", "FODS"],
  ["fodp", "document", "application/vnd.oasis.opendocument.presentation-flat-xml", "fodp", "FODP"],
  ["fodg", "document", "application/vnd.oasis.opendocument.graphics-flat-xml", "fodg", "FODG"],
  ["sxw", "document", "application/vnd.sun.xml.writer", "sxw", "SXW"],
  ["sxc", "document", "application/vnd.sun.xml.calc", "sxc", "SXC"],
  ["sxi", "document", "application/vnd.sun.xml.impress", "sxi", "SXI"],
  ["sxd", "document", "application/vnd.sun.xml.draw", "sxd", "SXD"],
  ["xlsb", "document", "application/vnd.ms-excel.sheet.binary.macroenabled.12", "xlsb", "XLSB"],
  ["wordml", "document", "application/vnd.ms-word.2003+xml", "xml", "Word 2003 XML"],
  ["excelml", "document", "application/vnd.ms-excel.2003+xml", "xml", "Excel 2003 XML"],
  ["wri", "document", "application/x-mswrite", "wri", "WRI"],
  ["wpd", "document", "application/vnd.wordperfect", "wpd", "WordPerfect"],
  ["abw", "document", "application/x-abiword", "abw", "AbiWord"],
  ["fb2", "document", "application/x-fictionbook+xml", "fb2", "FictionBook"],
  ["pdb", "document", "application/vnd.palm", "pdb", "PalmDoc"],
  ["t602", "document", "application/x-t602", "602", "T602"],
  ["hwp", "document", "application/x-hwp", "hwp", "HWP 97"],
  ["pages", "document", "application/vnd.apple.pages", "pages", "Pages ’09"],
  ["key", "document", "application/vnd.apple.keynote", "key", "Keynote ’09"],
  ["wk1", "document", "application/vnd.lotus-1-2-3", "wk1", "Lotus 1-2-3"],
  ["wb2", "document", "application/x-quattropro", "wb2", "Quattro Pro 6"],
  ["dbf", "document", "application/vnd.dbf", "dbf", "dBase"],
  ["slk", "document", "text/spreadsheet", "slk", "SYLK"],
  ["dif", "document", "application/x-dif", "dif", "DIF"],
  ["gnumeric", "document", "application/x-gnumeric", "gnumeric", "Gnumeric"],
  ["vsdx", "document", "application/vnd.ms-visio.drawing", "vsdx", "VSDX"],
  ["wmf", "document", "image/wmf", "wmf", "WMF"],
  ["emf", "document", "image/emf", "emf", "EMF"],
  ["dxf", "document", "image/vnd.dxf", "dxf", "DXF"],
  ["rtf", "document", "application/rtf", "rtf", "RTF"],
  ["txt", "document", "text/plain", "txt", "plain text"],
  ["csv", "document", "text/csv", "csv", "CSV"],
  // Only of outputs: as an input, Markdown is plain text.
  ["md", "document", "text/markdown", "md", "Markdown"],
  ["epub", "document", "application/epub+zip", "epub", "EPUB"],
  ["eml", "document", "message/rfc822", "eml", "EML"],
  ["msg", "document", "application/vnd.ms-outlook", "msg", "MSG"],
  ["srt", "other", "application/x-subrip", "srt", "SRT"],
  ["vtt", "other", "text/vtt", "vtt", "WebVTT"],
  ["ass", "other", "text/x-ssa", "ass", "ASS"],
  ["json", "other", "application/json", "json", "JSON"],
  ["p12", "other", "application/x-pkcs12", "p12", "PKCS#12"],
  ["zip", "other", "application/zip", "zip", "ZIP"],
  ["tgz", "other", "application/gzip", "tgz", "TAR.GZ"],
  ["7z", "other", "application/x-7z-compressed", "7z", "7z"],
  ["unknown", "other", "application/octet-stream", "bin", "unknown"],
] as const satisfies readonly (readonly [string, MediaKind, string, string, string])[];

export type MediaTypeId = (typeof table)[number][0];

const byId = new Map<string, MediaType>(
  table.map(([id, kind, mime, extension, label]) => [id, { id, kind, mime, extension, label }]),
);

/** The media type called `id`. */
export function mediaType(id: MediaTypeId): MediaType {
  const type = byId.get(id);
  if (!type) throw new Error(`no media type ${id}`);
  return type;
}

/** Every media type of the given kinds, in the table's order. */
export function mediaTypesOf(...kinds: MediaKind[]): MediaTypeId[] {
  return table.filter(([, kind]) => kinds.includes(kind)).map(([id]) => id);
}

/** The media types with the MIME type `mime`; Ogg audio and Opus share one. */
export function mediaTypesOfMime(mime: string): MediaTypeId[] {
  return table.filter(([id]) => mediaType(id).mime === mime).map(([id]) => id);
}

/** The labels of `ids` as text for people, such as "JPEG, PNG or WebP". */
export function describeTypes(ids: readonly MediaTypeId[]): string {
  const labels = [...new Set(ids.map((id) => mediaType(id).label))];
  const last = labels.pop();
  return labels.length > 0 ? `${labels.join(", ")} or ${last}` : `${last}`;
}

const byExtension = new Map([...byId.values()].map((type) => [type.extension, type]));

/** The media type whose files end in `extension` (without the dot); "unknown" for all others. */
export function mediaTypeOfExtension(extension: string): MediaType {
  return byExtension.get(extension) ?? mediaType("unknown");
}
