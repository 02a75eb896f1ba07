import { badSounds } from "./bad-audio.ts";
import { badImages } from "./bad-images.ts";
import { endlessMetadata, hostileMetadata } from "./bad-metadata.ts";
import { badOffice } from "./bad-office.ts";
import { badPages } from "./bad-pages.ts";
import { badPdfs } from "./bad-pdfs.ts";
import { badPlaylists } from "./bad-playlists.ts";
import { badStructures } from "./bad-structures.ts";
import { badDrawings } from "./bad-svgs.ts";
import { badFilms } from "./bad-videos.ts";
import { reachingDocuments } from "./reaching-documents.ts";

/** Every row of the catalogue of bad inputs that is a file. */
export const badInputs = [
  ...[...badImages, ...badDrawings],
  ...[...badPlaylists, ...badFilms, ...badSounds],
  ...[...badPdfs, ...badOffice, ...reachingDocuments],
  ...[...badPages, ...hostileMetadata, ...endlessMetadata, ...badStructures],
];
