import { execFileSync } from "node:child_process";
import { appendFile, readFile, writeFile } from "node:fs/promises";
import { crc32 } from "node:zlib";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { stripMetadata } from "#lib/operations/pipeline/strip-metadata/index.ts";
import { hashStreams, makeAudio, runFfmpeg } from "#tests/samples/audio.ts";
import { makeTestImage, toSample } from "#tests/samples/images/images.ts";
import { encodeWithVips, makeIcon } from "#tests/samples/images/imported-images.ts";
import { addMetadata, containsSecret, makeImage, personalTags } from "#tests/samples/metadata.ts";
import { runOperation, type Sample } from "#tests/support/operation.ts";

/** Types that the service reads but does not write keep their type too. */

async function strip(sample: Sample): Promise<string> {
  expect(await containsSecret(sample.path)).toBe(true);
  const { outputs } = await runOperation(stripMetadata, sample);
  const path = outputs[0]?.path ?? "";
  expect(await containsSecret(path)).toBe(false);
  const found = await personalTags(path);
  expect(found.filter((tag) => tag !== "SVG:Title=Kept title")).toEqual([]);
  return path;
}

/** The pixels by the system's libvips, which the operation does not use. */
async function decode(path: string): Promise<Buffer> {
  const target = `${path}.decoded.png`;
  execFileSync("env", ["-u", "VIPSHOME", "vips", "copy", path, target]);
  return sharp(target).raw().toBuffer();
}

const image = () => makeTestImage({ width: 40, height: 30 });

/** A box of JPEG 2000 or JPEG XL at the end of the file. */
async function appendBox(path: string, type: string, content: string): Promise<void> {
  const header = Buffer.from(`\0\0\0\0${type}`, "latin1");
  header.writeUInt32BE(8 + content.length);
  await appendFile(path, Buffer.concat([header, Buffer.from(content)]));
}

/** A comment of Latin text before the first tile-part of a JPEG 2000 codestream. */
async function addComment(path: string): Promise<void> {
  const bytes = await readFile(path);
  const codestream = bytes.indexOf("jp2c");
  const at = bytes.indexOf(Buffer.from("ff90000a", "hex"), codestream);
  const comment = Buffer.from("\xff\x64\0\x0a\0\x01Secret", "latin1");
  bytes.writeUInt32BE(bytes.readUInt32BE(codestream - 4) + comment.length, codestream - 4);
  await writeFile(path, Buffer.concat([bytes.subarray(0, at), comment, bytes.subarray(at)]));
}

function pngText(text: string): Buffer {
  const body = Buffer.from(`tEXtComment\0${text}`);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(body.length - 4);
  body.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(body), chunk.length - 4);
  return chunk;
}

/** An icon of a bitmap and a PNG with a comment, and bytes that belong to neither. */
async function makePersonalIcon(): Promise<Sample> {
  const large = makeTestImage({ width: 256, height: 256 });
  const sample = await makeIcon([makeTestImage({ width: 32, height: 32 }), large]);
  const bytes = await readFile(sample.path);
  const png = bytes.readUInt32LE(6 + 16 + 12);
  const text = pngText("Secret");
  bytes.writeUInt32LE(bytes.readUInt32LE(6 + 16 + 8) + text.length, 6 + 16 + 8);
  const header = png + 33;
  const parts = [bytes.subarray(0, header), text, bytes.subarray(header), Buffer.from("Secret")];
  return toSample("ico", Buffer.concat(parts));
}

const rows: readonly [string, () => Promise<Sample>][] = [
  ["HEIC", async () => addMetadata(await encodeWithVips("heic", image()))],
  [
    "JPEG XL",
    async () => {
      // exiftool puts a codestream into a container.
      const sample = await addMetadata(await encodeWithVips("jxl", image()));
      await appendBox(sample.path, "jbrd", "Secret");
      return sample;
    },
  ],
  [
    "JPEG 2000",
    async () => {
      const sample = await addMetadata(await encodeWithVips("jp2", image(), "--lossless"));
      await addComment(sample.path);
      await appendBox(sample.path, "xml ", "<a>Secret</a>");
      return sample;
    },
  ],
  ["ICO", makePersonalIcon],
];

test.each(rows)("%s has no metadata, and the same pixels", async (_, make) => {
  const sample = await make();
  expect(await decode(await strip(sample))).toEqual(await decode(sample.path));
});

describe("SVG", () => {
  const drawing = async () => {
    const photo = (await readFile((await makeImage("jpeg")).path)).toString("base64");
    return `<?xml version="1.0" encoding="UTF-8"?>
<!-- Created by Secret -->
<?adobe Secret="1"?>
<!DOCTYPE svg [<!ENTITY ns_ai "http://ns.adobe.com/AdobeIllustrator/10.0/"><!-- Secret -->]>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:s="http://www.w3.org/2000/svg"
 xmlns:i="&ns_ai;" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" i:author='Secret > "x"'
 inkscape:export-filename="/home/Secret/drawing.png" width="60" height="40">
<title>Kept title</title><metadata><a>Secret<metadata/></a></metadata><s:metadata>Secret</s:metadata>
<inkscape:view><inkscape:view/>Secret</inkscape:view><i:pgf data="Secret"/>
<style><![CDATA[ rect > a, .b { fill: #00f } ]]></style>
<g inkscape:label="Secret"><rect class="b" width="30" height="20"/><s:circle cx="45" cy="20" r="9"/></g>
<image xlink:href="data:image/jpeg;base64,${photo}" x="5" y="22" width="20" height="15"/>
<text x="2" y="12" font-size="9">Kept &lt;é&gt;</text></svg>`;
  };
  const render = (path: string) => sharp(path).raw().toBuffer();

  test("is drawn the same, without what editors and their users wrote", async () => {
    const sample = await toSample("svg", Buffer.from(await drawing()));
    const path = await strip(sample);
    expect(await render(path)).toEqual(await render(sample.path));
    const after = await readFile(path, "utf8");
    for (const kept of ["Kept title", "Kept &lt;é&gt;", "CDATA", "<?xml "]) {
      expect(after).toContain(kept);
    }
    expect(after).not.toMatch(/inkscape|pgf/);
    const [, photo = ""] = /base64,([^"]+)/.exec(after) ?? [];
    expect(Buffer.from(photo, "base64").includes("Secret")).toBe(false);
  });

  test("keeps its encoding", async () => {
    const text = "\ufeff<svg xmlns='http://www.w3.org/2000/svg'><!--Secret--><text>é</text></svg>";
    const path = await strip(await toSample("svg", Buffer.from(text, "utf16le")));
    expect((await readFile(path)).toString("utf16le")).toBe(text.replace("<!--Secret-->", ""));
  });
});

const tags = { title: "Secret", artist: "Secret", comment: "Secret", encoder: "Secret" };

/** A file with personal metadata, and one with the same packets that need not have any. */
type Pair = readonly [sample: Sample, reference: Sample];

describe("audio and video", () => {
  const pairOf = (sample: Sample): Pair => [sample, sample];

  /** Its first block holds the header of the WAV file that was encoded, with its tags. */
  const makeWavpack = async (): Promise<Pair> => {
    const plain = makeAudio("wv", { tags });
    const bytes = await readFile(plain.path);
    const wrapper = Buffer.from("\x21\x07RIFF--Secret--", "latin1");
    bytes.writeUInt32LE(bytes.readUInt32LE(4) + wrapper.length, 4);
    const parts = [bytes.subarray(0, 32), wrapper, bytes.subarray(32)];
    return [await toSample("wv", Buffer.concat(parts)), plain];
  };

  /** Makes an AIFF file with a named marker. */
  const makeAiff = async (): Promise<Pair> => {
    const sample = makeAudio("aiff", { tags, options: ["-write_id3v2", "1"] });
    const marker = Buffer.from("MARK\0\0\0\x10\0\x01\0\x01\0\0\0\0\x07Secret!", "latin1");
    return pairOf(await toSample("aiff", Buffer.concat([await readFile(sample.path), marker])));
  };

  /** Makes an AC-3 file: frames with an ID3 tag after them. */
  const makeAc3 = async (): Promise<Pair> => {
    const plain = makeAudio("ac3");
    const tag = Buffer.alloc(128);
    tag.write("TAGSecret");
    return [await toSample("ac3", Buffer.concat([await readFile(plain.path), tag])), plain];
  };

  const makeMxf = async (): Promise<Pair> => {
    const sample = await toSample("mxf", Buffer.alloc(0));
    const inputs = ["testsrc2=s=160x90:r=25:d=0.4", "sine=r=48000:d=0.4"];
    const names = ["company_name", "product_name", "comment_take", "product_version"];
    runFfmpeg([
      ...inputs.flatMap((source) => ["-f", "lavfi", "-i", source]),
      "-c:v",
      "mpeg2video",
      "-c:a",
      "pcm_s16le",
      "-timecode",
      "11:22:33:04",
      ...names.flatMap((name) => ["-metadata", `${name}=Secret`]),
      "-store_user_comments",
      "1",
      sample.path,
    ]);
    return pairOf(sample);
  };

  const media: readonly [string, () => Pair | Promise<Pair>][] = [
    ["AIFF", makeAiff],
    ["CAF", () => pairOf(makeAudio("caf", { tags }))],
    ["WavPack", makeWavpack],
    ["WMA", () => pairOf(makeAudio("wma", { tags }))],
    ["AC-3", makeAc3],
    ["MXF", makeMxf],
  ];

  test.each(media)("%s has no metadata, and the same packets and samples", async (_, make) => {
    const [sample, reference] = await make();
    const path = await strip(sample);
    expect(hashStreams(path)).toEqual(hashStreams(reference.path));
  });
});
