/** What later revisions of a document have changed in a signed one. */
export const revisionChanges = [
  "pages",
  "form_values",
  "annotations",
  "signatures",
  "validation_data",
  "metadata",
  "structure",
] as const;

export type RevisionChange = (typeof revisionChanges)[number];
