import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { MediaTypeId } from "#lib/media/types.ts";
import { changeBoxes, pack, riffChunk, riffList, writeBox } from "../samples/boxes.ts";
import { ffmpeg, h264, makeVideo, picture, smallFilm, tone } from "../samples/videos.ts";
import type { BadInput } from "./bad-input.ts";
import type { Bait } from "./canary.ts";

/** Lists and references dressed as films and sounds: each leads to a neighbour's file or to a server. */

/** A film in the neighbour's folder; its title is the marker, so that no copy of it goes unseen. */
function neighbourFilm({ folder, marker }: Bait): string {
  const path = join(folder, "film.ts");
  const tags = ["-metadata", `title=${marker}`, "-metadata", `service_name=${marker}`];
  const small = picture("size=64x36:rate=10:duration=0.3");
  ffmpeg(...small, ...tone(0.3), ...h264, "-c:a", "aac", ...tags, path);
  return path;
}

const hls = (...lines: string[]) =>
  `#EXTM3U\n#EXT-X-TARGETDURATION:1\n${lines.join("\n")}\n#EXT-X-ENDLIST\n`;

const dash = (address: string) =>
  `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" ` +
  `mediaPresentationDuration="PT1S"><Period><AdaptationSet><Representation id="0" ` +
  `mimeType="video/mp4"><BaseURL>${address}</BaseURL></Representation>` +
  `</AdaptationSet></Period></MPD>`;

/** From the folder that an engine works in, where that is known by its own name. */
const besides = "../neighbour/in/film.ts";

/** An AVI whose subtitle stream is a playlist under the name of a subtitle file (`GAB2`). */
async function subtitledAvi(playlist: string): Promise<Buffer> {
  const frame = readFileSync(makeVideo("jpg", ...picture("size=64x36"), "-frames:v", "1"));
  const stream = (type: string, handler: string, format: Buffer) =>
    riffList(
      "LIST",
      "strl",
      riffChunk("strh", pack("ssihhiiiiiiii", type, handler, 0, 0, 0, 0, 1, 10, 0, 1, 0, 0, 0)),
      riffChunk("strf", format),
    );
  const bitmap = pack("iiihhsiiiii", 40, 64, 36, 1, 24, "MJPG", 6912, 0, 0, 0, 0);
  const title = Buffer.from("a\0", "utf16le");
  const file = Buffer.from(playlist);
  const subtitles = Buffer.concat([
    pack("shihi", "GAB2\0", 2, title.length, 4, file.length),
    title,
    file,
  ]);
  return riffList(
    "RIFF",
    "AVI ",
    riffList(
      "LIST",
      "hdrl",
      riffChunk("avih", pack("iiiiiiiiiiiiii", 100_000, 0, 0, 16, 1, 0, 2, 0, 64, 36, 0, 0, 0, 0)),
      stream("vids", "MJPG", bitmap),
      stream("txts", "\0\0\0\0", Buffer.alloc(0)),
    ),
    riffList("LIST", "movi", riffChunk("00dc", frame), riffChunk("01tx", subtitles)),
  );
}

/** A film whose samples lie in another file, as its data reference says. */
function referringFilm(bait: Bait): Buffer {
  const path = neighbourFilm(bait);
  const entry = writeBox("url ", Buffer.from(`\0\0\0\0file://${path}\0`, "latin1"));
  const film = changeBoxes(readFileSync(smallFilm()), "dref", (content) =>
    Buffer.concat([content.subarray(0, 8), entry]),
  );
  return changeBoxes(film, "mdat", (content) => Buffer.alloc(content.length));
}

const refused = ["unsupported_type", "corrupt"] as const;

const list = (
  id: string,
  type: MediaTypeId,
  write: (bait: Bait & { readonly film: string }) => string,
): BadInput => ({
  ...{ id, type, answers: refused },
  build: (bait) => Buffer.from(write({ ...bait, film: neighbourFilm(bait) })),
});

export const badPlaylists: readonly BadInput[] = [
  list("an HLS playlist of a file", "mp4", ({ film }) => hls("#EXTINF:1,", `file:${film}`)),
  list("an HLS playlist of a path", "mkv", () => hls("#EXTINF:1,", besides)),
  list("an HLS playlist of an address", "mp4", ({ address }) =>
    hls("#EXTINF:1,", `${address}/a.ts`),
  ),
  list("an HLS playlist with a key and a map", "mov", ({ film, secret, address }) =>
    hls(
      `#EXT-X-KEY:METHOD=AES-128,URI="${address}/key"`,
      `#EXT-X-MAP:URI="file:${secret}"`,
      "#EXTINF:1,",
      film,
    ),
  ),
  list("an HLS playlist of protocols", "avi", ({ film, secret, address }) =>
    hls(
      ...["#EXTINF:1,", `concat:${film}|${address}/a`],
      ...["#EXTINF:1,", `subfile,,start,0,end,18,,:${secret}`],
      ...["#EXTINF:1,", `crypto:${film}`, "#EXTINF:1,", "data:video/mp2t;base64,R0A="],
    ),
  ),
  list("an HLS playlist named mp3", "mp3", ({ secret }) => hls("#EXTINF:1,", `file://${secret}`)),
  list("a DASH manifest of a file", "mp4", ({ film }) => dash(`file:${film}`)),
  list("a DASH manifest of an address", "webm", ({ address }) => dash(`${address}/a.mp4`)),
  list("an ffconcat list of a file", "mp4", ({ film }) => `ffconcat version 1.0\nfile '${film}'\n`),
  list("an ffconcat list of a path", "mpegts", () => `ffconcat version 1.0\nfile ${besides}\n`),
  list(
    "an ffconcat list of an address",
    "m4a",
    ({ address }) => `ffconcat version 1.0\nfile '${address}/a.mp4'\n`,
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
    ({ film }) =>
      `<?xml version="1.0"?><CompositionPlaylist xmlns="http://www.smpte-ra.org/schemas/2067-3/2016"><Id>urn:uuid:${crypto.randomUUID()}</Id><SegmentList><Segment><Path>${film}</Path></Segment></SegmentList></CompositionPlaylist>`,
  ),
  list(
    "a Windows Media redirector",
    "wmv",
    ({ address }) => `<asx version="3.0"><entry><ref href="${address}/a.wmv"/></entry></asx>`,
  ),
  {
    id: "an AVI with a playlist for subtitles",
    type: "avi",
    build: (bait) => subtitledAvi(hls("#EXTINF:1,", `file:${neighbourFilm(bait)}`)),
    answers: ["completes", "corrupt"],
    except: { audio: ["unsupported_type"] },
  },
  {
    id: "a film whose samples are in another file",
    type: "mov",
    build: referringFilm,
    answers: ["corrupt"],
  },
];
