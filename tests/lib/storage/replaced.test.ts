import { afterEach, expect, it, vi } from "vitest";
import { findSource } from "#lib/images/render/find-source.ts";
import { gatherSource } from "#lib/jobs/live/files.ts";
import { FileReplacedError, storage } from "#lib/storage/index.ts";
import { temporaryWorkFolder } from "#tests/support/operation.ts";

/** Who reads an upload whose file can be replaced reads only the version that it was complete with. */

const version = '"1"';
const file = { key: "uploads/upload_a/file", version, filename: "a.png" };

afterEach(() => vi.restoreAllMocks());

it.each([
  [
    "a picture by URL",
    () => {
      const owner = { accountId: "acct_a", accountPlan: "free" } as const;
      const { signal } = new AbortController();
      return findSource({ kind: "stored", ...file }, owner, temporaryWorkFolder, signal);
    },
  ],
  [
    "a preview",
    () => {
      const source = { id: "upload_a", ...file, contentType: "image/png", bytes: 1 };
      return gatherSource(source, undefined, temporaryWorkFolder());
    },
  ],
])("%s", async (_what, read) => {
  const getFile = vi.spyOn(storage(), "getFile").mockRejectedValue(new FileReplacedError());
  await expect(read()).rejects.toMatchObject({ code: "fetch_failed", fault: "caller" });
  expect(getFile).toHaveBeenCalledExactlyOnceWith(file.key, expect.any(String), version);
});
