import type { CheckedEngine } from "#lib/db/schema/operator/checked-engines.ts";
import type { EngineState } from "#lib/jobs/status/report.ts";

/** What each engine is for, as users know it. */
export const engineNames: Readonly<Record<CheckedEngine, { name: string; check: string }>> = {
  image: { name: "Images", check: "resizes a PNG image" },
  ffmpeg: { name: "Video and audio (ffmpeg)", check: "converts WAV to MP3" },
  chromium: { name: "Web pages (Chromium)", check: "prints HTML as PDF" },
  libreoffice: { name: "Office documents (LibreOffice)", check: "converts RTF to PDF" },
  pdf: { name: "PDF", check: "turns a page of a PDF" },
};

export const stateLabels: Readonly<Record<EngineState, string>> = {
  operational: "Operational",
  slow: "Slow",
  failing: "Failing",
  no_recent_check: "No recent check",
};
