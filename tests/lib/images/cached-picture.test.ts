import { expect, it } from "vitest";
import { packPicture, unpackPicture } from "#lib/images/cache/cached-picture.ts";

const body = Buffer.from("the bytes of a picture");
const head = {
  contentType: "image/png",
  createdAt: 1,
  source: "https://example.com/a.png",
  filename: "a.png",
  etag: "abc",
  bytes: body.length,
};

it("a stored picture is read as it was", () => {
  expect(unpackPicture(packPicture({ head, body }))).toEqual({ head, body });
});

it("a file that is incomplete after a power failure is no picture, wherever it ends", () => {
  const bytes = packPicture({ head, body });
  for (let length = 0; length < bytes.length; length++) {
    expect(unpackPicture(bytes.subarray(0, length))).toBeUndefined();
  }
  expect(unpackPicture(Buffer.alloc(bytes.length))).toBeUndefined();
});
