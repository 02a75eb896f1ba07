/** The limits of a job's `metadata`. Forms check them too, so this loads nothing else. */

export const maxMetadataValues = 16;

/** The most characters of a name and of a value. */
export const maxMetadataLength = 500;
