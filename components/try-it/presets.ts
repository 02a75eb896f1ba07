import { describeOperation } from "#components/playground/describe-operation.ts";
import type { FileCount, FormField } from "#components/playground/form/form-field.ts";
import { playgroundHref } from "#components/sign-in/playground-link.tsx";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { acceptsType } from "#lib/operations/define.ts";
import type { TrySample } from "./samples.ts";

/** An operation with its parameters, to run with one click. */
export interface TryPreset {
  readonly operation: string;
  /** What it does with these parameters. */
  readonly label: string;
  readonly params: Readonly<Record<string, string | number | boolean>>;
  /** The usual file name extensions of the files that it takes. */
  readonly extensions: readonly string[];
  /** Whether it takes a file of any type, also of one that is not known. */
  readonly takesAny: boolean;
  /** How many files it takes. */
  readonly count: FileCount;
  /** The parameters that can be changed here: one or two. */
  readonly fields: readonly FormField[];
  /** Its form with all parameters, which needs an account. */
  readonly formHref: string;
}

type Choice = readonly [
  operation: string,
  label: string,
  params: TryPreset["params"],
  /** The parameters that can be changed here. */
  own?: readonly string[],
];

/** The most useful ones first. Each takes one file and ends within seconds. */
const choices: readonly Choice[] = [
  [
    "image/watermark-text",
    "Add a watermark",
    { text: "© Example", opacity: 0.8, font_size: 40 },
    ["text"],
  ],
  ["image/convert", "Convert", { format: "avif" }, ["format"]],
  ["image/resize", "Resize", { width: 640 }, ["width"]],
  ["image/crop", "Crop to a square", { ratio: "1:1" }],
  ["image/pixelate", "Pixelate", { size: 24 }, ["size"]],
  ["image/ocr", "Read the text", { languages: "eng" }],
  [
    "pipeline/responsive-image-set",
    "Responsive set",
    { widths: "320,640", formats: "avif,webp" },
    ["widths"],
  ],
  ["document/ocr", "Make a searchable PDF", { languages: "eng" }],
  ["video/gif", "Make a GIF", { duration: 3, width: 400 }, ["duration", "width"]],
  ["video/aspect-ratio", "Change the shape", { ratio: "9:16", mode: "blur" }, ["ratio"]],
  ["video/overlay-text", "Overlay a text", { text: "Hello", x: 36, y: 32, fontsize: 40 }, ["text"]],
  [
    "pipeline/contact-sheet",
    "Contact sheet",
    { columns: 3, rows: 3, timestamps: true },
    ["columns", "rows"],
  ],
  ["video/extract-audio", "Extract the audio", { format: "mp3" }, ["format"]],
  ["audio/normalize", "Normalize the loudness", { target_lufs: -16 }, ["target_lufs"]],
  ["audio/remove-silence", "Remove silence", { threshold: -50 }, ["threshold"]],
  ["audio/waveform", "Draw the waveform", { width: 800, height: 120 }, ["width", "height"]],
  ["audio/speed", "Change the speed", { factor: 1.5 }, ["factor"]],
  ["document/doc-to-pdf", "Convert to PDF", {}],
  ["document/html-to-pdf", "Print to PDF", { page_size: "A4", margin: "15mm" }, ["page_size"]],
  ["document/html-to-image", "Screenshot", { width: 800 }, ["width"]],
  ["document/pdf-to-images", "Pages as images", { dpi: 96 }, ["dpi"]],
  ["document/watermark-pdf", "Stamp a text", { text: "DRAFT", opacity: 0.25 }, ["text"]],
  ["document/compress-pdf", "Compress", { quality: "medium" }, ["quality"]],
  ["document/to-markdown", "Convert to Markdown", {}],
  ["document/markdown-to-pdf", "Typeset as PDF", { theme: "github" }, ["theme"]],
  ["pipeline/strip-metadata", "Remove metadata", {}],
  ["pipeline/thumbnail", "Make a thumbnail", { width: 320 }, ["width"]],
  ["pipeline/file-inspect", "Inspect", {}],
];

/**
 * The choices with their parameters, which are described once: the schemas of the operations do not
 * change.
 */
export const describedPresets = choices.flatMap(([id, label, params, own = []]) => {
  const operation = findOperation(id);
  const form = operation && describeOperation(operation);
  const file = form?.files.find(({ part }) => part === "file");
  if (!form || !file) return [];
  const { extensions, count } = file;
  const fields = form.fields.filter(({ name }) => own.includes(name));
  const takesAny = acceptsType(operation, "unknown");
  return [{ operation: id, label, params, fields, extensions, count, takesAny }];
});

/** The operations of the home page, with links for the visitor or the user who is signed in. */
export function tryPresets(): Promise<TryPreset[]> {
  return Promise.all(
    describedPresets.map(async (preset) => ({
      ...preset,
      formHref: await playgroundHref(preset.operation),
    })),
  );
}

/** A file to run an operation on: one of the site's samples, or a file of the visitor. */
export type TryFile =
  | { readonly kind: "sample"; readonly sample: TrySample }
  | { readonly kind: "own"; readonly file: File };
