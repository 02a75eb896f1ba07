import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MediaTypeId } from "#lib/media/types.ts";
import {
  changeBoxes,
  packNumbers,
  riffChunk,
  riffList,
  writeBox,
} from "#tests/samples/container-bytes.ts";
import { h264, makeVideo, smallVideo, testPattern, tone } from "#tests/samples/videos.ts";
import type { BadInput } from "../bad-input.ts";
import type { Canary } from "../canary.ts";

/** Bad inputs: playlists and references disguised as video and audio, to another job's file or a server. */

/** Creates a video in the other job's folder. Its title is the secret text, so that a copy is detected. */
function otherJobVideo({ folder, secretText }: Canary): string {
  const path = join(folder, "video.ts");
  const tags = ["-metadata", `title=${secretText}`, "-metadata", `service_name=${secretText}`];
  const small = testPattern("size=64x36:rate=10:duration=0.3");
  const made = makeVideo("ts", ...small, ...tone(0.3), ...h264, "-c:a", "aac", ...tags);
  copyFileSync(made, path);
  return path;
}

const hls = (...lines: string[]) =>
  `#EXTM3U\n#EXT-X-TARGETDURATION:1\n${lines.join("\n")}\n#EXT-X-ENDLIST\n`;

const dash = (url: string) =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" ` +
  `mediaPresentationDuration="PT1S"><Period><AdaptationSet><Representation id="0" ` +
  `mimeType="video/mp4"><BaseURL>${url}</BaseURL></Representation>` +
  `</AdaptationSet></Period></MPD>`;

/** The path of the other job's file, relative to the folder in which an engine works. */
const otherJobPath = "../other-job/in/video.ts";

/** An AVI whose subtitle stream contains a playlist as an embedded subtitle file (`GAB2`). */
async function subtitledAvi(playlist: string): Promise<Buffer> {
  const frame = readFileSync(makeVideo("jpg", ...testPattern("size=64x36"), "-frames:v", "1"));
  const stream = (type: string, handler: string, format: Buffer) =>
    riffList(
      "LIST",
      "strl",
      riffChunk(
        "strh",
        packNumbers("ssihhiiiiiiii", type, handler, 0, 0, 0, 0, 1, 10, 0, 1, 0, 0, 0),
      ),
      riffChunk("strf", format),
    );
  const bitmap = packNumbers("iiihhsiiiii", 40, 64, 36, 1, 24, "MJPG", 6912, 0, 0, 0, 0);
  const title = Buffer.from("a\0", "utf16le");
  const file = Buffer.from(playlist);
  const subtitles = Buffer.concat([
    packNumbers("shihi", "GAB2\0", 2, title.length, 4, file.length),
    title,
    file,
  ]);
  return riffList(
    "RIFF",
    "AVI ",
    riffList(
      "LIST",
      "hdrl",
      riffChunk(
        "avih",
        packNumbers("iiiiiiiiiiiiii", 100_000, 0, 0, 16, 1, 0, 2, 0, 64, 36, 0, 0, 0, 0),
      ),
      stream("vids", "MJPG", bitmap),
      stream("txts", "\0\0\0\0", Buffer.alloc(0)),
    ),
    riffList("LIST", "movi", riffChunk("00dc", frame), riffChunk("01tx", subtitles)),
  );
}

/** A video whose data reference points to the samples in another file. */
function videoWithExternalSamples(canary: Canary): Buffer {
  const path = otherJobVideo(canary);
  const entry = writeBox("url ", Buffer.from(`\0\0\0\0file://${path}\0`, "latin1"));
  const video = changeBoxes(readFileSync(smallVideo()), "dref", (content) =>
    Buffer.concat([content.subarray(0, 8), entry]),
  );
  return changeBoxes(video, "mdat", (content) => Buffer.alloc(content.length));
}

const rejectedOutcomes = ["unsupported_type", "corrupt"] as const;

const list = (
  id: string,
  type: MediaTypeId,
  write: (canary: Canary & { readonly video: string }) => string,
): BadInput => ({
  id,
  type,
  expected: rejectedOutcomes,
  build: (canary) => Buffer.from(write({ ...canary, video: otherJobVideo(canary) })),
});

export const badPlaylists: readonly BadInput[] = [
  list("an HLS playlist of a file", "mp4", ({ video }) => hls("#EXTINF:1,", `file:${video}`)),
  list("an HLS playlist of a path", "mkv", () => hls("#EXTINF:1,", otherJobPath)),
  list("an HLS playlist of a URL", "mp4", ({ url }) => hls("#EXTINF:1,", `${url}/a.ts`)),
  list("an HLS playlist with a key and a map", "mov", ({ video, secretFile, url }) =>
    hls(
      `#EXT-X-KEY:METHOD=AES-128,URI="${url}/key"`,
      `#EXT-X-MAP:URI="file:${secretFile}"`,
      "#EXTINF:1,",
      video,
    ),
  ),
  list("an HLS playlist of protocols", "avi", ({ video, secretFile, url }) =>
    hls(
      "#EXTINF:1,",
      `concat:${video}|${url}/a`,
      "#EXTINF:1,",
      `subfile,,start,0,end,18,,:${secretFile}`,
      "#EXTINF:1,",
      `crypto:${video}`,
      "#EXTINF:1,",
      "data:video/mp2t;base64,R0A=",
    ),
  ),
  list("an HLS playlist named mp3", "mp3", ({ secretFile }) =>
    hls("#EXTINF:1,", `file://${secretFile}`),
  ),
  list("a DASH manifest of a file", "mp4", ({ video }) => dash(`file:${video}`)),
  list("a DASH manifest of a URL", "webm", ({ url }) => dash(`${url}/a.mp4`)),
  list(
    "an ffconcat list of a file",
    "mp4",
    ({ video }) => `ffconcat version 1.0\nfile '${video}'\n`,
  ),
  list(
    "an ffconcat list of a path",
    "mpegts",
    () => `ffconcat version 1.0\nfile ${otherJobPath}\n`,
  ),
  list(
    "an ffconcat list of a URL",
    "m4a",
    ({ url }) => `ffconcat version 1.0\nfile '${url}/a.mp4'\n`,
  ),
  list(
    "an SDP description",
    "mp4",
    ({ port }) =>
      `v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nc=IN IP4 127.0.0.1\nt=0 0\nm=video ${port} RTP/AVP 96\na=rtpmap:96 H264/90000\n`,
  ),
  list(
    "an IMF composition",
    "mov",
    ({ video }) =>
      `<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>urn:uuid:${crypto.randomUUID()}</Id><SegmentList><Segment><Path>${video}</Path></Segment></SegmentList></CompositionPlaylist>`,
  ),
  list(
    "a Windows Media redirector",
    "wmv",
    ({ url }) => `<asx version="3.0"><entry><ref href="${url}/a.wmv"/></entry></asx>`,
  ),
  {
    id: "an AVI with a playlist as subtitles",
    type: "avi",
    build: (canary) => subtitledAvi(hls("#EXTINF:1,", `file:${otherJobVideo(canary)}`)),
    expected: ["completes", "corrupt"],
    expectedFor: { audio: ["unsupported_type"] },
  },
  {
    id: "a video with samples in another file",
    type: "mov",
    build: videoWithExternalSamples,
    expected: ["corrupt"],
  },
];
