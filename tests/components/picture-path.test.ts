import { expect, it } from "vitest";
import { type PictureFields, picturePath } from "#components/images/picture-path.ts";
import { parseImgproxyPath } from "#lib/images/imgproxy/parse-path.ts";

const fields: PictureFields = {
  source: "https://example.com/photo.jpg",
  resize: "fit",
  width: "600",
  height: "",
  gravity: "",
  format: "",
  quality: "",
  more: "",
};

it("has the options, the source and the format", () => {
  const path = picturePath({ ...fields, quality: "80", more: " bl:2 / pd:10", format: "webp" });
  expect(path).toBe("/rs:fit:600:0/q:80/bl:2/pd:10/plain/https://example.com/photo.jpg@webp");
});

it.each([
  ["https://example.com/café 東京.jpg", "https://example.com/caf%C3%A9%20%E6%9D%B1%E4%BA%AC.jpg"],
  ["https://example.com/a/../b.jpg", "https://example.com/b.jpg"],
  ["https://example.com/a%20b.jpg?v=1&w=@2x#top", undefined],
  ['https://example.com/"<>`{|}.jpg', "https://example.com/%22%3C%3E%60%7B|%7D.jpg"],
  ['conn_abc:café \\ "1".jpg', undefined],
  ["conn_abc:\ud800.jpg", "conn_abc:\ufffd.jpg"],
])("a browser sends the path with the source %j as it was signed", (source, parsed = source) => {
  const path = picturePath({ ...fields, source });
  expect(new URL(`http://localhost:3000/i/ik/signature${path}`).pathname).toBe(
    `/i/ik/signature${path}`,
  );
  const request = parseImgproxyPath(path.slice(1), { presets: new Map() });
  expect(request.source).toBe(parsed);
});
