/** What a file is for the document (ISO 32000-2, 7.11.3). */
export const relationships = [
  "source",
  "data",
  "alternative",
  "supplement",
  "unspecified",
] as const;

export type Relationship = (typeof relationships)[number];
