import { expect, it } from "vitest";
import {
  findPathFault,
  findPrefixFault,
  findReadPathFault,
  parseFileReference,
  pathBelow,
} from "#lib/connections/file-reference.ts";
import { parseS3List } from "#lib/connections/stores/s3.ts";
import {
  type FolderEntry,
  foldersOf,
  listTree,
  temporaryPath,
} from "#lib/connections/stores/tree-list.ts";
import { expandPath, findPlaceholderFault } from "#lib/connections/target-path.ts";

const id = `conn_${"a".repeat(24)}`;

it("references name a connection and a path", () => {
  const path = "a/фото #1 %20?.jpg";
  expect(parseFileReference(`${id}:${path}`)).toEqual({ connectionId: id, path });
  for (const text of ["conn_short:a", `${id}`, `https://example.com/${id}:a`]) {
    expect(parseFileReference(text)).toBeUndefined();
  }
});

it.each([
  ["../a", "as a folder"],
  ["a/../../b", "as a folder"],
  ["a/./b", "as a folder"],
  ["/etc/passwd", "begin with a slash"],
  ["a//b", "empty segments"],
  ["a/", "empty segments"],
  ["", "empty"],
  ["a\\b", "backslashes"],
  ["a\u0000b", "control characters"],
  ["é".repeat(600), "bytes"],
])("the path %j is refused", (path, message) => {
  expect(findPathFault(path)).toContain(message);
});

it.each([
  ["s3", "/a.png", undefined],
  ["s3", "a//b.png", undefined],
  ["gcs", "//a///b.png", undefined],
  ["azure", "/a/../b", "as a folder"],
  ["s3_role", "//./b", "as a folder"],
  ["s3", "a//", "end with a slash"],
  ["s3", "/", "end with a slash"],
  ["s3", "", "empty"],
  ["s3", `a${"/".repeat(1024)}b`, "bytes"],
  ["s3", "/a\\b", "backslashes"],
  ["sftp", "/etc/passwd", "begin with a slash"],
  ["webdav", "a//b", "empty segments"],
] as const)("of a file that is read in a store of type %s: %j", (type, path, message) => {
  const fault = findReadPathFault(type, path);
  expect(fault).toEqual(message && expect.stringContaining(message));
});

it("prefixes of keys may have slashes anywhere, those of folders may not leave them", () => {
  for (const prefix of ["", "/", "a//", "//a"])
    expect(findPrefixFault("s3", prefix)).toBeUndefined();
  expect(findPrefixFault("s3", "/../")).toContain("as a folder");
  expect(findPrefixFault("sftp", "a/")).toBeUndefined();
  for (const prefix of ["/", "///", "a//"]) expect(findPrefixFault("sftp", prefix)).toBeDefined();
});

it("dots in names are no segments", () => {
  expect(findPathFault("..a/b..c/...")).toBeUndefined();
  expect(pathBelow("a", "ab/c")).toBeUndefined();
});

it("placeholders are expanded, and cannot add a folder", () => {
  const output = {
    jobId: "job_1",
    createdAt: new Date("2026-11-26T15:04:05Z"),
    operation: "image/resize",
    filename: "a/b.tar.gz",
    number: 2,
  };
  const path = "{date}/{time}-{job_id}/{operation}/{n}-{stem}.{ext}-{filename}";
  expect(expandPath(path, output)).toBe(
    "2026-11-26/150405-job_1/image-resize/2-a_b.tar.gz-a_b.tar.gz",
  );
  expect(findPlaceholderFault(path)).toBeUndefined();
  expect(findPlaceholderFault("{dat}/a")).toContain("unknown placeholder {dat}");
  expect(findPlaceholderFault("a{b")).toContain("braces");
});

it("a list of S3 is read with encoded names and its cursor", () => {
  const xml = `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><EncodingType>url</EncodingType><NextContinuationToken>next=</NextContinuationToken>
    <Contents><Key>a%2Fb+c%2B.jpg</Key><Size>3</Size><LastModified>2026-11-26T15:04:05.000Z</LastModified><ETag>&quot;d41d8cd98f00b204e9800998ecf8427e&quot;</ETag></Contents>
    <CommonPrefixes><Prefix>a+b%2Fc%2B%2F</Prefix></CommonPrefixes>
    <Contents><Key>folder/</Key><Size>0</Size></Contents></ListBucketResult>`;
  const etag = "d41d8cd98f00b204e9800998ecf8427e";
  const modifiedAt = new Date("2026-11-26T15:04:05Z");
  expect(parseS3List(xml)).toEqual({
    files: [{ path: "a/b c+.jpg", bytes: 3, modifiedAt, etag, md5: etag }],
    folders: ["a b/c+/"],
    nextCursor: "next=",
  });
  expect(() => parseS3List("<html>")).toThrow("cannot be read");
});

it("a tree is listed in the order of whole paths, from the cursor on", async () => {
  const paths = ["a-b.txt", "a/1", "a/2/x", "a/2.txt", "b", "c/d"];
  const read: string[] = [];
  const readFolder = async (folder: string) => {
    read.push(folder);
    const base = folder === "" ? "" : `${folder}/`;
    const below = paths.filter((path) => path.startsWith(base));
    const names = new Set(below.map((path) => path.slice(base.length).split("/")[0] ?? ""));
    return [...names].map((name) => {
      const path = base + name;
      const isFile = paths.includes(path);
      const file = { kind: "file" as const, path, bytes: 1, modifiedAt: null, etag: null };
      return isFile ? file : { kind: "folder" as const, path };
    });
  };
  const found: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listTree({ prefix: "", cursor, limit: 2 }, readFolder);
    found.push(...page.files.map(({ path }) => path));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(found).toEqual([...paths].sort());
  const flat: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await listTree({ prefix: "a/", cursor, limit: 1, isFlat: true }, readFolder);
    flat.push(...page.files.map(({ path }) => path), ...(page.folders ?? []));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(flat).toEqual(["a/1", "a/2.txt", "a/2/"]);
  read.length = 0;
  const below = await listTree({ prefix: "a/2", limit: 9 }, readFolder);
  expect(below.files.map(({ path }) => path)).toEqual(["a/2.txt", "a/2/x"]);
  expect(read).toEqual(["a", "a/2"]);
  expect(foldersOf("a/b/c.txt")).toEqual(["a", "a/b"]);
  expect(temporaryPath("a/b.txt", "job_1-1")).toBe("a/.job_1-1.part");
});

it("a page without a file leads to the next one, in a tree of hundreds of folders", async () => {
  const names = Array.from({ length: 350 }, (_, index) => String(index).padStart(3, "0"));
  const filled = ["2024/000", "2024/149", "2024/349"];
  // As deep as paths may be.
  const deep = Array.from({ length: 300 }, (_, index) => `3${"/x".repeat(index + 1)}`);
  const readFolder = async (path: string): Promise<FolderEntry[]> => {
    if (path === "") return ["2024", "3"].map((name) => ({ kind: "folder", path: name }));
    if (path === "2024") return names.map((name) => ({ kind: "folder", path: `2024/${name}` }));
    const inner = [`3/x`, ...deep].find((one) => one === `${path}/x`);
    if (inner !== undefined) return [{ kind: "folder", path: inner }];
    const isFilled = filled.includes(path) || path === deep.at(-1);
    return isFilled
      ? [{ kind: "file", path: `${path}/a`, bytes: 1, modifiedAt: null, etag: null }]
      : [];
  };
  const found: string[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ; ) {
    const page = await listTree({ prefix: "", cursor, limit: 100 }, readFolder);
    found.push(...page.files.map(({ path }) => path));
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
    expect(cursors).not.toContain(cursor);
    cursors.add(cursor);
  }
  expect(found).toEqual([...filled, deep.at(-1)].map((folder) => `${folder}/a`));
});
