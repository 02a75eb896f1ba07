/** Writes playlists of HTTP Live Streaming (RFC 8216). */

export interface MasterVideo {
  readonly uri: string;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
  /** The codec as RFC 6381 writes it. */
  readonly codec: string;
  /** The highest bit rate in bit/s. */
  readonly peak: number;
  readonly average: number;
}

export interface MasterTrack {
  readonly uri: string;
  readonly language: string | undefined;
  readonly name: string | undefined;
}

export interface MasterAudio extends MasterTrack {
  readonly peak: number;
  readonly average: number;
}

const aacLc = "mp4a.40.2";

export function writeMaster(
  videos: readonly MasterVideo[],
  audios: readonly MasterAudio[],
  subtitles: readonly MasterTrack[],
): string {
  const loudest = { peak: 0, average: 0 };
  for (const { peak, average } of audios) {
    loudest.peak = Math.max(loudest.peak, peak);
    loudest.average = Math.max(loudest.average, average);
  }
  const groups =
    (audios.length > 0 ? ',AUDIO="audio"' : "") +
    (subtitles.length > 0 ? ',SUBTITLES="subtitles"' : "");
  const lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-INDEPENDENT-SEGMENTS"];
  lines.push(...writeTracks("audio", audios), ...writeTracks("subtitles", subtitles));
  for (const { uri, width, height, fps, codec, peak, average } of videos) {
    const codecs = audios.length > 0 ? `${codec},${aacLc}` : codec;
    lines.push(
      `#EXT-X-STREAM-INF:BANDWIDTH=${peak + loudest.peak},` +
        `AVERAGE-BANDWIDTH=${average + loudest.average},RESOLUTION=${width}x${height},` +
        `FRAME-RATE=${fps.toFixed(3)},CODECS="${codecs}"${groups}`,
      uri,
    );
  }
  return `${lines.join("\n")}\n`;
}

/** Names are distinct in a group (RFC 8216, 4.3.4.1.1). */
function writeTracks(group: "audio" | "subtitles", tracks: readonly MasterTrack[]): string[] {
  const label = group === "audio" ? "Audio" : "Subtitles";
  const names = tracks.map(({ name }, index) => quotable(name) || `${label} ${index + 1}`);
  const taken = new Set(names);
  return tracks.map((track, index) => {
    const name = names[index] ?? label;
    const isFirst = names.indexOf(name) === index;
    const distinct = isFirst ? name : numberName(name, taken);
    taken.add(distinct);
    return writeTrack(group, track, distinct, index);
  });
}

/** `name` with the lowest number from 2 that is not in `taken`. */
function numberName(name: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${name} ${number}`)) number++;
  return `${name} ${number}`;
}

function writeTrack(
  group: "audio" | "subtitles",
  { uri, language }: MasterTrack,
  name: string,
  index: number,
): string {
  const isKnown = language !== undefined && language !== "und";
  const code = isKnown && /^[a-zA-Z-]{2,20}$/.test(language) ? `,LANGUAGE="${language}"` : "";
  // Subtitles are off until the viewer chooses them.
  const isDefault = group === "audio" && index === 0 ? "YES" : "NO";
  return (
    `#EXT-X-MEDIA:TYPE=${group.toUpperCase()},GROUP-ID="${group}",` +
    `NAME="${name}"${code},` +
    `DEFAULT=${isDefault},AUTOSELECT=YES,URI="${uri}"`
  );
}

/** Tags of a file are untrusted: quotes and line breaks would end the attribute. */
function quotable(text = ""): string {
  return text
    .replaceAll(/["\p{Cc}]/gu, " ")
    .trim()
    .slice(0, 100);
}

interface MediaSegment {
  readonly name: string;
  /** The duration in seconds. */
  readonly duration: number;
}

export function writeMedia(
  segments: readonly MediaSegment[],
  init: string | undefined,
  encryption: { readonly uri: string; readonly iv: string } | undefined,
): string {
  const longest = Math.max(1, ...segments.map(({ duration }) => Math.round(duration)));
  return [
    "#EXTM3U",
    "#EXT-X-VERSION:7",
    `#EXT-X-TARGETDURATION:${longest}`,
    "#EXT-X-MEDIA-SEQUENCE:0",
    "#EXT-X-PLAYLIST-TYPE:VOD",
    "#EXT-X-INDEPENDENT-SEGMENTS",
    // Before the key, so that it is not encrypted.
    ...(init ? [`#EXT-X-MAP:URI="${init}"`] : []),
    ...(encryption
      ? [`#EXT-X-KEY:METHOD=AES-128,URI="${encryption.uri}",IV=0x${encryption.iv}`]
      : []),
    ...segments.flatMap(({ name, duration }) => [`#EXTINF:${duration.toFixed(6)},`, name]),
    "#EXT-X-ENDLIST",
    "",
  ].join("\n");
}
