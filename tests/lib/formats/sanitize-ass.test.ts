import { expect, it } from "vitest";
import { sanitizeAss } from "#lib/formats/subtitles/sanitize-ass.ts";

it("changes no field of a style that has the name of an object method", () => {
  const styles = (size: number) =>
    ["[V4+ Styles]", "Format: Name, Fontsize, constructor", `Style:Main,${size},1`, ""].join("\n");
  expect(sanitizeAss(styles(20), { fontSize: 30 })).toBe(styles(30));
});
