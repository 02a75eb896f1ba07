import { badAudio } from "./bad-audio.ts";
import { badImages } from "./bad-images.ts";
import { badImportedImages } from "./bad-imported-images.ts";
import { maliciousMetadata, oversizedMetadata } from "./bad-metadata.ts";
import { badOffice } from "./bad-office.ts";
import { badOfficeFormats } from "./bad-office-formats.ts";
import { badPages } from "./bad-pages.ts";
import { badPdfs } from "./bad-pdfs.ts";
import { badPlaylists } from "./bad-playlists.ts";
import { badStructures } from "./bad-structures.ts";
import { badSubtitles } from "./bad-subtitles.ts";
import { badSvgs } from "./bad-svgs.ts";
import { badTexts } from "./bad-texts.ts";
import { badVideos } from "./bad-videos.ts";
import { documentsWithExternalReferences } from "./external-references.ts";

/** All rows of the catalogue of bad inputs that are files. */
export const badInputs = [
  ...[...badImages, ...badImportedImages, ...badSvgs],
  ...[...badPlaylists, ...badVideos, ...badAudio, ...badSubtitles],
  ...[
    ...badPdfs,
    ...badOffice,
    ...badOfficeFormats,
    ...badTexts,
    ...documentsWithExternalReferences,
  ],
  ...[...badPages, ...maliciousMetadata, ...oversizedMetadata, ...badStructures],
];
