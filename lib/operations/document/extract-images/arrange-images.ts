import { PDFArray, PDFName, PDFNumber, PDFStream } from "@cantoo/pdf-lib";
import type { WorkerCall } from "#lib/engines/worker/worker-function.ts";
import { JobError } from "#lib/errors.ts";
import { writeNew } from "#lib/files/regular-files.ts";
import { type FoundImage, findImages } from "#lib/formats/pdf/images/find-images.ts";
import { formatAmount } from "#lib/limits/limits.ts";
import { openDocument, translateStructureErrors } from "../../shared/pdf/open-document.ts";

/** Each is an output of a job. */
const maxImages = 1000;

/** All images together; writing them takes some minutes. */
const maxTotalPixels = 4e9;

/**
 * Worker function: writes a PDF in which each image of the given one is alone on a page, once. The result
 * has the original page of each, and whether the `Decode` array of its mask swaps black and white. Throws `JobError`: `empty`, `too_complex`, `corrupt`.
 */
export const arrangeImages = async ({ files: [file], work }: WorkerCall) => {
  if (!file) throw new Error("no file");
  const document = await openDocument(file);
  return translateStructureErrors(async () => {
    const images = findImages(document).filter(({ width, height }) => width > 0 && height > 0);
    if (images.length === 0) throw new JobError("empty", "The PDF has no pictures.");
    if (images.length > maxImages) {
      const message = `The PDF has ${images.length} pictures. At most ${maxImages} are possible.`;
      throw new JobError("too_complex", message);
    }
    const { imagePixels } = work.limits;
    const total = images.reduce((sum, { width, height }) => sum + width * height, 0);
    if (
      images.some(({ width, height }) => width * height > imagePixels) ||
      total > maxTotalPixels
    ) {
      const [one, all] = [imagePixels, maxTotalPixels].map((max) => formatAmount(max, "pixels"));
      const message = `Pictures may have at most ${one} each, and ${all} together.`;
      throw new JobError("too_complex", message);
    }
    const { context } = document;
    const tree = context.nextRef();
    const pages = images.map(({ ref, width, height }) => {
      const content = context.stream(`q ${width} 0 0 ${height} 0 0 cm /I Do Q`);
      return context.register(
        context.obj({
          Type: "Page",
          Parent: tree,
          MediaBox: [0, 0, width, height],
          Resources: { XObject: { I: ref } },
          Contents: context.register(content),
        }),
      );
    });
    context.assign(tree, context.obj({ Type: "Pages", Kids: pages, Count: pages.length }));
    context.trailerInfo.Root = context.register(context.obj({ Type: "Catalog", Pages: tree }));
    const output = work.scratch("pdf");
    await writeNew(
      output.path,
      await document.save({
        useObjectStreams: false,
        addDefaultPage: false,
        updateFieldAppearances: false,
      }),
    );
    return { outputs: [output], result: { images: images.map(describeImage) } };
  });
};

function describeImage({ page, stream: { dict } }: FoundImage) {
  const mask = dict.lookup(PDFName.of("SMask")) ?? dict.lookup(PDFName.of("Mask"));
  const decode = mask instanceof PDFStream ? mask.dict.lookup(PDFName.of("Decode")) : undefined;
  const first = decode instanceof PDFArray ? decode.lookup(0) : undefined;
  return { page, hasInvertedMask: first instanceof PDFNumber && first.asNumber() === 1 };
}
