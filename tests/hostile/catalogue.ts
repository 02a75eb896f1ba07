import { badOffice } from "./documents/bad-office.ts";
import { badOfficeFormats } from "./documents/bad-office-formats.ts";
import { badPages } from "./documents/bad-pages.ts";
import { badPdfs } from "./documents/bad-pdfs.ts";
import { badStructures } from "./documents/bad-structures.ts";
import { badTexts } from "./documents/bad-texts.ts";
import { documentsWithExternalReferences } from "./documents/external-references.ts";
import { badAudio } from "./media/bad-audio.ts";
import { badImages } from "./media/bad-images.ts";
import { badImportedImages } from "./media/bad-imported-images.ts";
import { maliciousMetadata, oversizedMetadata } from "./media/bad-metadata.ts";
import { badPlaylists } from "./media/bad-playlists.ts";
import { badSubtitles } from "./media/bad-subtitles.ts";
import { badSvgs } from "./media/bad-svgs.ts";
import { badVideos } from "./media/bad-videos.ts";

/** All rows of the catalogue of bad inputs that are files. */
export const badInputs = [
  ...badImages,
  ...badImportedImages,
  ...badSvgs,
  ...badPlaylists,
  ...badVideos,
  ...badAudio,
  ...badSubtitles,
  ...badPdfs,
  ...badOffice,
  ...badOfficeFormats,
  ...badTexts,
  ...documentsWithExternalReferences,
  ...badPages,
  ...maliciousMetadata,
  ...oversizedMetadata,
  ...badStructures,
];
