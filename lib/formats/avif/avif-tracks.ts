import { box, fullBox, uint16, uint32, uint64 } from "../iso-boxes/write-boxes.ts";

/** The `moov` box of an animated AVIF file (AV1 Image File Format; AV1 in ISO base media files). */

export interface AvifTrack {
  /** The content of the `av1C` box. */
  readonly configuration: Buffer;
  /** One for each frame; each can be decoded on its own. */
  readonly samples: readonly Buffer[];
}

export interface AvifMovie {
  /** The width in pixels. */
  readonly width: number;
  readonly height: number;
  /** The delay of each frame in milliseconds. */
  readonly delays: readonly number[];
  /** How often the animation is shown; 0 is forever. */
  readonly loop: number;
  /** The colors, then the alpha if there is one. */
  readonly tracks: readonly AvifTrack[];
}

/** The units per second of all times. */
const timescale = 1000;

/** The value for a duration without end. */
const indefinite = 2n ** 64n - 1n;

/** The matrix of no transformation. */
const matrix = uint32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000);

const creationTimes = uint64(0n, 0n);

/**
 * Builds the movie; `offset` is that of the first sample in the file. The samples of each track
 * follow those of the track before.
 */
export function buildMovie(movie: AvifMovie, offset: number): Buffer {
  const sizes = movie.tracks.map(({ samples }) =>
    samples.reduce((sum, sample) => sum + sample.length, 0),
  );
  const tracks = movie.tracks.map((track, index) => {
    const before = sizes.slice(0, index).reduce((sum, size) => sum + size, 0);
    return buildTrack(movie, track, index, offset + before);
  });
  const header = fullBox(
    "mvhd",
    { version: 1 },
    creationTimes,
    uint32(timescale),
    uint64(shownDuration(movie)),
    uint32(0x10000),
    uint16(0x100, 0),
    uint32(0, 0),
    matrix,
    Buffer.alloc(24),
    uint32(tracks.length + 1),
  );
  return box("moov", header, ...tracks);
}

const durationOf = ({ delays }: AvifMovie) => BigInt(delays.reduce((sum, delay) => sum + delay, 0));

function shownDuration(movie: AvifMovie): bigint {
  return movie.loop === 0 ? indefinite : durationOf(movie) * BigInt(movie.loop);
}

function buildTrack(movie: AvifMovie, track: AvifTrack, index: number, offset: number): Buffer {
  const { width, height } = movie;
  const isAlpha = index > 0;
  const header = fullBox(
    "tkhd",
    { version: 1, flags: 1 },
    creationTimes,
    uint32(index + 1, 0),
    uint64(shownDuration(movie)),
    uint32(0, 0),
    uint16(0, 0, 0, 0),
    matrix,
    uint32(width * 0x10000, height * 0x10000),
  );
  // The flag repeats the edit until the duration of the track is over.
  const edit = fullBox(
    "elst",
    { version: 1, flags: 1 },
    uint32(1),
    uint64(durationOf(movie), 0n),
    uint16(1, 0),
  );
  const mediaHeader = fullBox(
    "mdhd",
    { version: 1 },
    creationTimes,
    uint32(timescale),
    uint64(durationOf(movie)),
    uint16(0x55c4, 0),
  );
  const handler = Buffer.from(isAlpha ? "auxv" : "pict", "latin1");
  const media = box(
    "mdia",
    mediaHeader,
    fullBox("hdlr", {}, uint32(0), handler, uint32(0, 0, 0), Buffer.from([0])),
    box(
      "minf",
      fullBox("vmhd", { flags: 1 }, uint16(0, 0, 0, 0)),
      box("dinf", fullBox("dref", {}, uint32(1), fullBox("url ", { flags: 1 }))),
      buildSampleTable(movie, track, isAlpha, offset),
    ),
  );
  const reference = isAlpha ? [box("tref", box("auxl", uint32(1)))] : [];
  return box("trak", header, ...reference, box("edts", edit), media);
}

function buildSampleTable(
  { width, height, delays }: AvifMovie,
  { configuration, samples }: AvifTrack,
  isAlpha: boolean,
  offset: number,
): Buffer {
  const count = samples.length;
  const alphaType = Buffer.from("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0", "latin1");
  const sampleEntry = box(
    "av01",
    Buffer.alloc(6),
    uint16(1),
    Buffer.alloc(16),
    uint16(width, height),
    uint32(0x480000, 0x480000, 0),
    uint16(1),
    Buffer.alloc(32),
    uint16(0x18, 0xffff),
    box("av1C", configuration),
    // All frames are intra frames.
    fullBox("ccst", {}, uint32(0xc0000000)),
    ...(isAlpha ? [fullBox("auxi", {}, alphaType)] : []),
  );
  return box(
    "stbl",
    fullBox("stsd", {}, uint32(1), sampleEntry),
    fullBox("stts", {}, uint32(count, ...delays.flatMap((delay) => [1, delay]))),
    fullBox("stsc", {}, uint32(1, 1, count, 1)),
    fullBox("stsz", {}, uint32(0, count, ...samples.map((sample) => sample.length))),
    fullBox("stco", {}, uint32(1, offset)),
  );
}
