/** Parameters and lists of input types that several operations share. */

export * from "./barcode.ts";
export * from "./color.ts";
export * from "./gain.ts";
export * from "./language.ts";
export * from "./list.ts";
export * from "./media-types.ts";
export * from "./opacity.ts";
export * from "./pdf-pages/page-ranges.ts";
export * from "./pdf-pages/page-selection.ts";
export * from "./pdf-pages/select-pages.ts";
export * from "./position.ts";
export * from "./quality.ts";
export * from "./ratio.ts";
export * from "./region.ts";
export * from "./secret.ts";
export * from "./silence.ts";
export * from "./size.ts";
export * from "./still-format.ts";
export * from "./subtitle-format.ts";
export * from "./text.ts";
export * from "./time.ts";
