/**
 * What `MEDIA_ENGINES` selects: the engines of one media runner. The large ones are in one group each, so that
 * images and pools of runners need only one of them. Every runner has the others.
 */
export const engineGroups = ["all", "documents", "av"] as const;

export type EngineGroup = (typeof engineGroups)[number];

/** The engines that only runners of this group, and those with all engines, have. */
const enginesOnlyIn: Readonly<Record<Exclude<EngineGroup, "all">, readonly string[]>> = {
  documents: ["chromium", "libreoffice", "tesseract", "ocrmypdf", "ghostscript"],
  av: ["ffmpeg", "ffprobe"],
};

/** Whether a runner of `group` has `engine`, if it is installed. */
export function hasEngine(group: EngineGroup, engine: string): boolean {
  if (group === "all") return true;
  return !enginesOnlyIn[group === "av" ? "documents" : "av"].includes(engine);
}

/** The least group with the engines in `required`. `any`: each group has them. */
export function groupFor(required: readonly string[]): EngineGroup | "any" {
  const isIn = (group: "documents" | "av") =>
    required.some((engine) => enginesOnlyIn[group].includes(engine));
  if (isIn("documents") && isIn("av")) return "all";
  if (isIn("documents")) return "documents";
  return isIn("av") ? "av" : "any";
}
