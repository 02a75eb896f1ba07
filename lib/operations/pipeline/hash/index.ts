import { z } from "zod";
import { mediaTypesOf } from "#lib/media/types.ts";
import { defineOperation } from "#lib/operations/define.ts";
import { nameList, parseNameList } from "#lib/operations/fields/index.ts";
import { countResult } from "#lib/operations/result-fields.ts";
import { writeResult } from "#lib/operations/write-result.ts";
import { type Algorithm, algorithms, hashFile } from "./hash-file.ts";

const hashResult = z.string().optional().describe("In lowercase hex.");
// One entry for each algorithm.
const hashResults = Object.fromEntries(algorithms.map((name) => [name, hashResult])) as Record<
  Algorithm,
  typeof hashResult
>;

export const hash = defineOperation({
  id: "pipeline/hash",
  title: "Hash file",
  summary: "Compute checksums of a file: SHA-256, MD5, CRC-32 and others.",
  accepts: mediaTypesOf("image", "video", "audio", "document", "other"),
  params: z.strictObject({
    algorithms: nameList(algorithms, {
      default: "sha256",
      description: `Algorithms: ${algorithms.join(", ")}. blake2b has 512 bits, blake2s 256. The result has each in lowercase hex. MD5, SHA-1 and CRC-32 detect damage, but not manipulation.`,
    }),
  }),
  example: { algorithms: "sha256,md5" },
  sample: { input: "photo.jpg", params: { algorithms: "sha256,md5,crc32" } },
  produces: () => "json",
  keepsInput: true,
  result: z.strictObject({ bytes: countResult("Bytes of the file."), ...hashResults }),
  runsIn: "runner",
  requires: [],
  async run({ input, params, work, signal, progress }) {
    const wanted = parseNameList(params.algorithms, algorithms);
    let read = 0;
    const hashes = await hashFile(input.path, wanted, signal, (bytes) => {
      read += bytes;
      progress((100 * read) / Math.max(1, input.bytes));
    });
    return writeResult({ bytes: input.bytes, ...hashes }, work);
  },
});
