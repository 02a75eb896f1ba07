import { z } from "zod";
import { readTags } from "#lib/engines/exiftool/exiftool.ts";
import { mediaTypesOf } from "#lib/media/types.ts";
import { defineOperation } from "../../define.ts";
import { tagsResult } from "../../result-fields.ts";
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
  result: z.strictObject({
    gps: tagsResult(
      "Tags of GPS, with `latitude`, `longitude` and `altitude` in signed degrees and meters.",
    ),
    exif: tagsResult("Tags of EXIF."),
    iptc: tagsResult("Tags of IPTC."),
    xmp: tagsResult("Tags of XMP, with their namespace."),
    icc: tagsResult("Tags of the color profile."),
    other: tagsResult("Tags of cameras and formats, with their group."),
  }),
  runsIn: "runner",
  requires: ["exiftool"],
  async run({ input, work, signal }) {
    return writeResult(groupTags(await readTags(input, signal)), work);
  },
});
