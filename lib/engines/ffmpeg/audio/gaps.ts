/**
 * The times of a track of a video may have gaps, such as lost packets, and it may start later than the
 * video. Samples are then fewer than the time that has passed.
 */

/** Filters that put silence into the gaps of a track. */
export const fillGaps: readonly string[] = ["aresample=async=1"];

/** Filters that also put silence before a track that starts later than its file. */
export const alignToFile: readonly string[] = ["aresample=async=1:first_pts=0"];
