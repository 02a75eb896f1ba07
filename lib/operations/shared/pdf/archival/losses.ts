import type { ArchivalLevel } from "#lib/formats/pdf/archival/levels.ts";
import type { ArchivalFacts } from "./facts.ts";

export interface Losses {
  readonly facts: ArchivalFacts;
  readonly level: ArchivalLevel;
  /** Whether Ghostscript has written the pages again. */
  readonly isRewritten: boolean;
}

/** A message about everything that the PDF/A file does not have any more. */
export function describeLosses({ facts, level, isRewritten }: Losses): string[] {
  const { dropped } = facts;
  const warnings: string[] = [];
  const part = `PDF/A-${level.slice(0, 1)}`;
  if (isRewritten && facts.hasForm) {
    warnings.push("The form fields became content of the pages and cannot be filled in any more.");
  }
  if (isRewritten && facts.isTagged) {
    warnings.push(
      "The tags for screen readers were dropped, because the pages had to be written again.",
    );
  }
  if (level === "1b" && facts.hasTransparency) {
    warnings.push(
      "Pages with transparency became pictures, because PDF/A-1 has none, so their text cannot be selected. Level 2b keeps the text.",
    );
  }
  if (dropped.attachments > 0) {
    warnings.push(
      `The attached files were dropped, because ${part} does not allow them. Level 3b keeps them.`,
    );
  }
  if (dropped.actions > 0) {
    warnings.push(`Scripts and other actions that ${part} forbids were dropped.`);
  }
  if (dropped.annotations > 0) {
    warnings.push(`Annotations that are hidden, or of a type that ${part} forbids, were dropped.`);
  }
  if (dropped.undrawn > 0) {
    warnings.push(
      "Some annotations are not drawn any more, because the file did not define their appearance.",
    );
  }
  if (dropped.layers) warnings.push(`The layers were merged, because ${part} has none.`);
  return warnings;
}
