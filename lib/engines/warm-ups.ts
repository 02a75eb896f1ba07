import { warmUpChromium } from "./chromium/chromium.ts";
import { warmUpExiftool } from "./exiftool/exiftool.ts";
import { warmUpLibreOffice } from "./libreoffice/libreoffice.ts";
import { warmUpQpdf } from "./pdf/run-qpdf.ts";
import { warmUpTypeDetection } from "./sniff/detect-type.ts";
import { warmUpWorkerPool } from "./worker/pool.ts";

/** How to start the processes of each pool, in the order in which a runner does. Each rejects if one does not start. */
export const warmUps = {
  "type detection": warmUpTypeDetection,
  image: warmUpWorkerPool,
  chromium: warmUpChromium,
  qpdf: warmUpQpdf,
  exiftool: warmUpExiftool,
  libreoffice: warmUpLibreOffice,
};
