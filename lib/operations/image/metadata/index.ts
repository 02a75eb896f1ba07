import { z } from "zod";
import { readTags } from "#lib/engines/exiftool/exiftool.ts";
import { mediaTypesOf } from "#lib/media/types.ts";
import { defineOperation } from "../../define.ts";
import { writeResult } from "../../write-result.ts";
import { groupTags } from "./group-tags.ts";

export const metadata = defineOperation({
  id: "image/metadata",
  title: "Read metadata",
  summary: "Read EXIF, IPTC, XMP, ICC and GPS data of an image.",
  accepts: mediaTypesOf("image"),
  params: z.strictObject({}),
  example: {},
  sample: { input: "photo.jpg" },
  produces: () => "json",
  keepsInput: true,
  runsIn: "runner",
  requires: ["exiftool"],
  async run({ input, work, signal }) {
    return writeResult(groupTags(await readTags(input, signal)), work);
  },
});
