/** The limits of a job's `metadata`. Forms check them too, so this loads nothing else. */

export const maxMetadataValues = 16;

/** Of a name and of a value, in characters. */
export const maxMetadataLength = 500;
