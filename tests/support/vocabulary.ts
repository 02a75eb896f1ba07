/**
 * Words that the project does not use, and the standard terms that it uses instead. Matched as whole
 * words, also inside identifiers: `filmLength` contains `film`.
 */
export const replacements: Readonly<Record<string, string>> = {
  anew: "again",
  anybody: "anyone",
  arrival: "staged upload",
  arrivals: "staged uploads",
  arriving: "staged, received",
  bait: "canary",
  behaviour: "behavior",
  behaviours: "behaviors",
  beside: "next to, in addition to",
  blame: "fault",
  blamed: "caused by",
  cap: "limit",
  caps: "limits",
  colour: "color",
  colours: "colors",
  doubt: "unhealthy",
  doubted: "unhealthy",
  dwell: "stay",
  everybody: "everyone",
  favour: "prefer",
  film: "video",
  films: "videos",
  gently: "graceful",
  greedy: "memory-hungry",
  grey: "gray",
  handover: "enqueue",
  heard: "received, notified",
  judge: "decide, classify",
  judged: "decided, classified",
  keyed: "API key",
  lane: "delivery queue",
  lanes: "delivery queue",
  licence: "license",
  linger: "lingering close",
  lingers: "lingering close",
  mend: "fix, repair",
  mended: "fixed, repaired",
  mint: "allocate, create",
  minted: "allocated, created",
  mints: "allocates, creates",
  moment: "timestamp, time",
  moments: "timestamps, times",
  neighbour: "other job, adjacent",
  neighbours: "other jobs, adjacent",
  neighbouring: "adjacent",
  neighbor: "other job, adjacent",
  neighbors: "other jobs, adjacent",
  news: "notification",
  nobody: "no one",
  outage: "unavailable",
  outages: "unavailable",
  owe: "enqueue",
  owed: "enqueued",
  owes: "enqueues",
  patience: "timeout",
  pump: "worker loop",
  sentence: "message",
  sentences: "messages",
  somebody: "someone",
  steer: "job actions",
  steering: "job actions",
  stranger: "untrusted",
  strangers: "untrusted",
  tell: "report, notify, detect",
  telling: "reporting, notifying",
  tells: "reports, notifies, shows",
  ticket: "queue message",
  tickets: "queue messages",
  told: "reported, notified, detected",
  undate: "clear dates",
  unkeyed: "public",
  verdict: "retry decision",
  verdicts: "retry decisions",
  victim: "target",
  victims: "targets",
  whatever: "any",
  whoever: "anyone who",
  worn: "max_uses",
};

/** Phrases that contain such a word and are right: another meaning, a standard's name, quoted text. */
export const allowedPhrases: readonly RegExp[] = [
  // In the list of common passwords.
  /\bsteelers whatever hardcore\b/g,
  // In the grammatical sense.
  /\b(?:one|a|first|short) sentences?\b/gi,
  // Linux capabilities, in options of bubblewrap, setpriv and Docker.
  /\b(?:cap[-_](?:drop|add)|[a-z]+-caps)\b/g,
  // Their names in /proc/self/status.
  /\bCap\[A-Z\]/g,
  // Fields of styles in ASS subtitles.
  /\b(?:Primary|Secondary|Outline|Back)Colour\b|\bprimarycolour\b/g,
  // A color space of libvips.
  /\bgrey16\b/g,
];

export interface VocabularyHit {
  readonly line: number;
  readonly word: string;
  readonly instead: string;
}

/** Every use of a word of the list, by line. */
export function findReplaceableWords(text: string): VocabularyHit[] {
  return text.split("\n").flatMap((raw, index) => {
    const allowed = allowedPhrases.reduce((line, phrase) => line.replaceAll(phrase, " "), raw);
    return wordsOf(allowed).flatMap((word) => {
      const instead = Object.hasOwn(replacements, word) ? replacements[word] : undefined;
      return instead ? [{ line: index + 1, word, instead }] : [];
    });
  });
}

/** The words of a line, lower-case: `notifyJobChange` is three. */
function wordsOf(line: string): string[] {
  const spaced = line
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return (spaced.match(/[A-Za-z]+/g) ?? []).map((word) => word.toLowerCase());
}
