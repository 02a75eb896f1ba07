import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { makeDocx } from "#tests/samples/office/word.ts";
import { makeRichPdf } from "#tests/samples/pdf/rich-pdf.ts";
import { createClient } from "#tests/service/http/client.ts";

/** The commands of the guides for those who come from another service, as they are printed. */

const guides = join(import.meta.dirname, "../../docs/guide");
const commands = readdirSync(guides)
  .filter((name) => /^(?:from-\w+|gotenberg)\.md$/.test(name))
  .flatMap((name) => {
    const text = readFileSync(join(guides, name), "utf8");
    const blocks = [...text.matchAll(/^```bash\n(.*?)^```$/gms)].map(([, block = ""]) => block);
    return blocks.filter((block) => block.includes("{{baseUrl}}")).map((code) => ({ name, code }));
  });

let key: string;
let files: ReadonlyMap<string, Buffer>;

beforeAll(async () => {
  ({ key } = await createClient());
  const photo = await makeTestImage({ width: 900, height: 600 }).jpeg().toBuffer();
  files = new Map([
    ["report.docx", makeDocx(["Hello"])],
    ["report.pdf", makeRichPdf({ pages: 1 })],
    ["photo.jpg", photo],
  ]);
  await writeAll(inject("host").folder);
});

async function writeAll(folder: string): Promise<void> {
  for (const [name, content] of files) await writeFile(join(folder, name), content);
}

it("there is one for each service with an API of requests", () => {
  expect(commands.map(({ name }) => name)).toEqual([
    "from-cloudconvert.md",
    "from-docling.md",
    "from-transloadit.md",
    "gotenberg.md",
  ]);
});

it.each(commands)("the command of $name works", async ({ code }) => {
  const folder = await mkdtemp(join(tmpdir(), "guide-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeAll(folder);
  await rm(join(folder, "report.pdf"));
  const command = code
    .replaceAll("{{baseUrl}}", inject("service").url)
    .replaceAll("https://example.com", inject("host").url)
    .replaceAll("curl ", "curl --silent --show-error --fail-with-body ");
  const env = { ...process.env, MEDIAMILL_API_KEY: key };
  const { stdout } = await promisify(execFile)("bash", ["-c", command], { cwd: folder, env });
  const [, file] = / -o (\S+)/.exec(code) ?? [];
  if (file) expect((await readFile(join(folder, file))).subarray(0, 5).toString()).toBe("%PDF-");
  else expect(JSON.parse(stdout)).toMatchObject({ status: "completed", outputs: [{}] });
});
