import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { python } from "#scripts/commands/clients/python-wheel.ts";
import { pythonWithWheels } from "#tests/clients/python-wheels.ts";
import { makeTestImage } from "#tests/samples/images/images.ts";
import { Client } from "#tests/service/http/client.ts";

/** URLs that the Python clients of imgproxy and thumbor make are answered as they are. */

const service = inject("service").url;
const { url: host, folder } = inject("host");

let pair: { readonly id: string; readonly key: string; readonly salt: string };
let environment: NodeJS.ProcessEnv;

/** What a Python program prints. It gets `values` as its arguments. */
function runPython(program: string, ...values: readonly string[]): string {
  const args = ["-c", program, ...values];
  return execFileSync(python, args, { env: environment, encoding: "utf8" }).trim();
}

async function readSize(url: string) {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(response.status, bytes.toString().slice(0, 200)).toBe(200);
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
}

beforeAll(async () => {
  environment = await pythonWithWheels();
  const created = await new Client().postJson("/v1/images/keys", {});
  pair = (await created.json()) as typeof pair;
  const bytes = await makeTestImage({ width: 200, height: 100 }).jpeg().toBuffer();
  await writeFile(join(folder, "python-client.jpg"), bytes);
});

describe("a URL of the Python package", () => {
  it("imgproxy", async () => {
    const program = `
import sys
from imgproxy import ImgProxy
image, key, salt = sys.argv[1:]
make = ImgProxy.factory(key=key, salt=salt, resizing_type="fill", extension="webp")
print(make(image, "bl:1", width=60, height=40, gravity="no"))`;
    const path = runPython(program, `${host}/python-client.jpg`, pair.key, pair.salt);
    const url = `${service}/i/${pair.id}/${path.replace(/^\//, "")}`;
    expect(await readSize(url)).toEqual({ format: "webp", width: 60, height: 40 });
  });

  it("libthumbor", async () => {
    const program = `
import sys
from libthumbor import CryptoURL
image, key = sys.argv[1:]
filters = ["format(png)", "quality(70)"]
print(CryptoURL(key=key).generate(image_url=image, width=50, height=50, smart=True, filters=filters))`;
    const path = runPython(program, `${host}/python-client.jpg`, pair.key);
    const url = `${service}/t/${pair.id}${path}`;
    expect(await readSize(url)).toEqual({ format: "png", width: 50, height: 50 });
  });
});
