import { PassThrough } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { storeUpload } from "#lib/api/http/store-upload.ts";

const hints = { filename: "a.txt", contentType: "text/plain" };

it("a file that breaks off before storage has begun to read it is a failure and no crash", async () => {
  const stream = new PassThrough();
  const stored = storeUpload("inputs/job_1/file", stream, hints, null);
  stream.destroy(new Error("the client is gone"));
  await expect(stored).rejects.toThrow("the client is gone");
  await setImmediate();
});
