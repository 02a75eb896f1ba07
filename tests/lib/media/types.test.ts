import { expect, it } from "vitest";
import { describeTypes } from "#lib/media/types.ts";

it("each type is listed once", () => {
  expect(describeTypes(["png", "jpeg", "png"])).toBe("PNG or JPEG");
  expect(describeTypes(["png", "png"])).toBe("PNG");
});
