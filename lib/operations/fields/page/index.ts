/** Parameters of operations that load a page in a browser. */

export * from "./input-headers.ts";
export { margin } from "./paper.ts";
export * from "./print.ts";
export * from "./settings.ts";
