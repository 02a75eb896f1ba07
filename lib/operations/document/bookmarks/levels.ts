/** The levels that bookmarks may have. */
export const bookmarkLevels = 50;

/** The most bookmarks that are listed or written. */
export const maxBookmarks = 5000;
