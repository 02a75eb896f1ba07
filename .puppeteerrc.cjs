/** Chromium comes from the system's packages; the install step must not look for one of its own. */
module.exports = { skipDownload: true };
