import { execFileSync } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { afterAll, describe, expect, test } from "vitest";
import { closeExiftool, parseTags, readTags, removeTags } from "#lib/engines/exiftool/exiftool.ts";
import { ExiftoolProcess } from "#lib/engines/exiftool/process.ts";
import { processPath } from "#lib/engines/sandbox/folder/process-folder.ts";
import { mediaType } from "#lib/media/types.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { makeImage } from "#tests/samples/metadata.ts";
import { type Sample, temporaryWorkFolder } from "#tests/support/operation.ts";

afterAll(closeExiftool);

const never = new AbortController().signal;

function toFile({ path, type }: Sample) {
  const { extension } = mediaType(type);
  return { name: `in/0.${extension}`, path, extension };
}

describe("readTags", () => {
  test("returns tags by group and name, numbers as numbers, and no tags about the copy on disk", async () => {
    const tags = await readTags(toFile(await makeImage("jpeg", 6)), never);
    expect(tags.get("IFD0:Make")).toBe("Secret");
    expect(tags.get("IFD0:Orientation")).toBe(6);
    expect(tags.get("GPS:GPSLatitude")).toBe(12.5);
    const names = [...tags.keys()].join(" ");
    expect(names).not.toMatch(/Directory|FileName|FilePermissions|FileAccessDate|SourceFile/);
  });

  test("returns markup and quotes in a tag as text", async () => {
    const sample = await makeImage("jpeg");
    const text = `<script>alert("1")</script>\n{ready1}\n'`;
    execFileSync("exiftool", ["-q", "-overwrite_original", `-XMP:Title=${text}`, sample.path]);
    expect((await readTags(toFile(sample), never)).get("XMP-dc:Title")).toBe(text);
  });

  test("truncates a title of 10 MB", async () => {
    const sample = await makeImage("png");
    const title = sample.path.replace(/[^/]+$/, "title.txt");
    await writeFile(title, "x".repeat(10e6));
    execFileSync("exiftool", ["-q", "-overwrite_original", `-PNG:Title<=${title}`, sample.path]);
    expect(`${(await readTags(toFile(sample), never)).get("PNG:Title")}`).toHaveLength(2000);
  });

  test("returns few tags for a file of an unknown type", async () => {
    const work = temporaryWorkFolder();
    const file = work.input("jpg");
    await writeFile(file.path, "garbage");
    await expect(readTags(file, never)).resolves.toBeInstanceOf(Map);
  });

  test("leaves no files of a job in the slot folder", async () => {
    await readTags(toFile(await makeImage("jpeg")), never);
    for (const slot of await readdir(processPath("slots"))) {
      expect(await readdir(processPath("slots", slot), { recursive: true })).toEqual(["in", "out"]);
    }
  });

  test("rejects as aborted if it is aborted, and the next one works", async () => {
    const file = toFile(await makeImage("jpeg"));
    await expect(readTags(file, AbortSignal.abort())).rejects.toMatchObject({ aborted: true });
    expect((await readTags(file, never)).get("IFD0:Make")).toBe("Secret");
  });
});

describe("files before", () => {
  test("do not change what is read: a damaged tag of a profile", async () => {
    const profile = await makeTestImage().withIccProfile("p3").jpeg().toBuffer();
    const work = temporaryWorkFolder();
    const [good, damaged] = [work.input("jpg"), { ...work.input("jpg"), name: "in/1.jpg" }];
    await writeFile(good.path, profile);
    damaged.path = good.path.replace(/[^/]+$/, "1.jpg");
    // The type of the description is one that exiftool does not know.
    const changed = Buffer.from(profile);
    changed.write("xxxx", changed.indexOf("mluc"), "latin1");
    await writeFile(damaged.path, changed);
    const name = "ICC_Profile:ProfileDescription";
    // More often than there are processes.
    for (let count = 0; count < 5; count++) {
      expect((await readTags(good, never)).get(name)).toMatch(/P3/);
      expect((await readTags(damaged, never)).get(name)).toMatch(/^\(Binary data/);
    }
  });

  test("do not end the process, nor are their tags known after them", async () => {
    const process = await ExiftoolProcess.start();
    const name = await process.slot.linkIn(toFile(await makeImage("jpeg")));
    const options = { timeoutMs: 10_000 };
    const read = async () => {
      const { stdout } = await process.request(["-j", "-m", name], options);
      return JSON.parse(stdout);
    };
    const first = await read();
    const own = ["-m", "-XMP-dc:Title=other", "-o", "out/1.jpg", name];
    expect((await process.request(own, options)).status).toBe(0);
    for (let count = 0; count < 3; count++) expect(await read()).toEqual(first);
    expect(process.healthy).toBe(true);
    await process.close();
  });

  test("are read in the same copy, until one is written", async () => {
    const process = await ExiftoolProcess.start();
    const file = temporaryWorkFolder().input("jpg");
    await writeFile(file.path, await makeTestImage().withIccProfile("p3").jpeg().toBuffer());
    const name = await process.slot.linkIn(file);
    const options = { timeoutMs: 10_000 };
    const readIn = async () => {
      const args = [
        "-j",
        "-api",
        "LargeFileSupport=1",
        "-if",
        "print(STDERR POSIX::getpid())",
        name,
      ];
      return (await process.request(args, options)).stderr;
    };
    // The first ones load modules.
    for (let count = 0; count < 3; count++) await readIn();
    const copy = await readIn();
    expect(copy).toMatch(/^\d+/);
    expect(await readIn()).toBe(copy);
    await process.request(["-m", "-Comment=other", "-o", "out/1.jpg", name], options);
    expect(await readIn()).not.toBe(copy);
    await process.close();
  });

  test("leave writers that can be loaded, in each order in which a copy had its files", () => {
    const files = ["WritePNG.pl", "WriteExif.pl", "PNG.pm", "Exif.pm"];
    const load = `separate_files::load(map { "Image/ExifTool/$_" } qw(${files.join(" ")}));`;
    const print = "print join(' ', Image::ExifTool::PNG->can('DoneDir'), @INC{@ARGV});";
    const paths = files.map((file) => `Image/ExifTool/${file}`);
    const script = ["-MImage::ExifTool", "-e", `use separate_files; ${load} ${print}`, ...paths];
    const loaded = execFileSync("perl", ["-Ilib/engines/exiftool", ...script], {
      encoding: "utf8",
    });
    expect(loaded.split(" ")).toEqual([
      expect.stringMatching(/^CODE/),
      ...paths.map((path) => expect.stringContaining(path)),
    ]);
  });

  test("end the process if they end its copy", async () => {
    const process = await ExiftoolProcess.start();
    const name = await process.slot.linkIn(toFile(await makeImage("jpeg")));
    const ended = process.request(["-if", "POSIX::_exit(9)", name], { timeoutMs: 10_000 });
    await expect(ended).rejects.toMatchObject({ exitCode: 9 });
    await process.close();
  });
});

describe("parseTags", () => {
  test.each([
    ['[{"XMP:__proto__":{"polluted":1},"IFD0:Make":"a"}]', [["IFD0:Make", "a"]]],
    ['[{"__proto__":{"polluted":1},"System:Directory":"/job"}]', []],
    ['[{"A:Big":1e999,"A:List":["a",{"b":1},2]}]', [["A:List", ["a", 2]]]],
    ["", []],
  ])("%s", (json, entries) => {
    expect([...parseTags(json)]).toEqual(entries);
    expect(Object.prototype).not.toHaveProperty("polluted");
  });

  test.each(["{}", "[]", "[1]", "null"])("rejects %s", (json) => {
    expect(() => parseTags(json)).toThrow();
  });
});

describe("removeTags", () => {
  test("rejects a damaged image as corrupt", async () => {
    const work = temporaryWorkFolder();
    const file = work.input("jpg");
    await writeFile(file.path, Buffer.from("ffd8ffe1ffff4578", "hex"));
    await expect(removeTags(file, work.output("jpg"), never)).rejects.toMatchObject({
      code: "corrupt",
    });
  });
});

test.each(["\n", "\r", "\0"])(
  "does not pass an argument with %j to the process",
  async (character) => {
    const process = await ExiftoolProcess.start();
    const request = async () => process.request([`a${character}-ver`], { timeoutMs: 1000 });
    await expect(request()).rejects.toThrow("invalid exiftool argument");
    await process.close();
  },
);
