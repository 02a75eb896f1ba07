import { expect, test } from "vitest";
import { distinctName } from "#lib/jobs/run/distinct-name.ts";

test.each([
  ["photo.jpg", "photo.jpg", "image/watermark-text", "photo-watermark.jpg"],
  ["photo.jpg", "photo.JPG", "image/sharpen", "photo-sharpen.jpg"],
  ["photo.jpg", "photo.png", "image/convert", "photo.jpg"],
  ["a.b.mp4", "a.b.mp4", "pipeline/video-watermark", "a.b-watermark.mp4"],
  ["a.mp4", "a.mp4", "video/preview-clip", "a-preview.mp4"],
  ["a.pdf", "a.pdf", "document/pdf-a", "a-pdf-a.pdf"],
  ["qr-code.png", undefined, "image/qr-code", "qr-code.png"],
])("the output %s of the input %s by %s is %s", (name, input, operation, expected) => {
  expect(distinctName(name, input, operation)).toBe(expected);
});

test("a long name stays within the length of other names", () => {
  const name = `${"東".repeat(63)}.png`;
  const long = distinctName(name, name, "image/sharpen");
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(200);
  expect(long).toMatch(/^東{50,62}-sharpen\.png$/);
});
