import { expect, test } from "vitest";
import { maxUploads, receiveUpload } from "#lib/api/http/slots/upload-slots.ts";

test("an account has a limited number of uploads at a time", async () => {
  const first = Promise.withResolvers<string>();
  const uploads = Array.from({ length: maxUploads }, () => receiveUpload("a", () => first.promise));
  await expect(receiveUpload("a", async () => "next")).rejects.toMatchObject({
    code: "rate_limited",
    headers: { "Retry-After": "10" },
  });
  expect(await receiveUpload("b", async () => "other")).toBe("other");
  first.resolve("received");
  await Promise.all(uploads);
  expect(await receiveUpload("a", async () => "next")).toBe("next");
});

test("an upload that fails is no longer counted", async () => {
  for (let count = 0; count <= maxUploads; count++) {
    await receiveUpload("c", () => Promise.reject(new Error("broken"))).catch(() => {});
  }
  expect(await receiveUpload("c", async () => "next")).toBe("next");
});
