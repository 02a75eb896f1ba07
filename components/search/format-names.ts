import { type MediaKind, type MediaType, mediaType, mediaTypesOf } from "#lib/media/types.ts";
import { splitWords } from "./words.ts";

/** Names of formats that are not those of their media types. */
const otherNames: Readonly<Record<string, string>> = {
  jfif: "jpeg",
  jpe: "jpeg",
  tif: "tiff",
  heif: "heic",
  iphone: "heic",
  apng: "png",
  jpegxl: "jxl",
  jpeg2000: "jp2",
  cr2: "raw",
  cr3: "raw",
  nef: "raw",
  arw: "raw",
  m4v: "mp4",
  mts: "mpegts",
  m2ts: "mpegts",
  matroska: "mkv",
  quicktime: "mov",
  oga: "ogg",
  vorbis: "ogg",
  htm: "html",
  website: "html",
  webpage: "html",
  word: "docx",
  excel: "xlsx",
  spreadsheet: "xlsx",
  powerpoint: "pptx",
  slides: "pptx",
  presentation: "pptx",
  ebook: "epub",
  outlook: "msg",
  webvtt: "vtt",
};

/** Names that mean a format only next to another one: "email to pdf". */
export const looseNames: Readonly<Record<string, string>> = {
  text: "txt",
  email: "eml",
  mail: "eml",
  web: "html",
  page: "html",
  subtitle: "srt",
  subtitles: "srt",
};

/** Formats whose names alone are ordinary words: those of Apple's Keynote and Pages. */
export const ordinaryWords: ReadonlySet<string> = new Set(["key", "pages"]);

/** Words for all files of a kind. */
export const kindNames: Readonly<Record<string, MediaKind>> = {
  image: "image",
  images: "image",
  photo: "image",
  photos: "image",
  picture: "image",
  pictures: "image",
  pic: "image",
  video: "video",
  videos: "video",
  movie: "video",
  audio: "audio",
  sound: "audio",
  music: "audio",
  song: "audio",
  voice: "audio",
  document: "document",
  documents: "document",
};

const types: readonly MediaType[] = mediaTypesOf(
  "image",
  "video",
  "audio",
  "document",
  "other",
).map(mediaType);

/** The id of the media type by each of its names. */
export const typeIds: ReadonlyMap<string, string> = new Map([
  ...types.flatMap(({ id, extension, label }) =>
    [id, extension, splitWords(label).join("")].map((name) => [name, id] as const),
  ),
  // Several types have the extension `xml`; a query means none of them.
  ["xml", "unknown"] as const,
  ...Object.entries(otherNames),
]);

/** The name for people of each media type, by its id. */
export const typeLabels = new Map<string, string>(types.map(({ id, label }) => [id, label]));

/** The kind of each media type, by its id. */
export const typeKinds = new Map<string, MediaKind>(types.map(({ id, kind }) => [id, kind]));
