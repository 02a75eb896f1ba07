import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { operations } from "#lib/operations/catalogue/index.ts";
import { ApiClient } from "#tests/service/http/api-client.ts";
import { freePort, until } from "#tests/service/stack.ts";
import { filterById } from "../filter-by-id.ts";
import { runExamples } from "../run-examples.ts";
import type { OpenImage } from "./container.ts";
import { makeVolume } from "./service.ts";

const examples = "image/sharpen,video/framerate,document/html-to-pdf,document/doc-to-pdf,image/ocr";

/**
 * Starts the image on an empty volume, runs jobs with the key that it prints, and starts it again on the same volume:
 * the jobs are still there. Returns the seconds until it is ready the second time.
 */
export async function checkAllInOne(image: OpenImage, folder: string): Promise<number> {
  mkdirSync(folder, { recursive: true });
  const volume = makeVolume(join(folder, "volume"));
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const variables = { PORT: String(port), LOG_LEVEL: "warn", STATUS_CHECKS: "off" };
  const start = async (name: string) => {
    const container = image.start(join(folder, name), { volume, variables, readOnly: false });
    await until(async () => {
      if (container.hasEnded()) throw new Error(`it ended: ${container.output()}`);
      return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false;
    }, 280_000);
    return container;
  };

  const first = await start("first.log");
  const page = await fetch(url);
  if (!page.ok) throw new Error(`its home page has the status ${page.status}`);
  await until(() => /mm_live_\w{36}/.test(first.output()), 10_000);
  const [key = ""] = /mm_live_\w{36}/.exec(first.output()) ?? [];
  const client = new ApiClient(url, key);
  const failures = await runExamples(client, filterById(operations, examples));
  if (failures.length > 0) throw new Error(failures.join("\n"));
  const code = await first.stop();
  if (code !== 0) throw new Error(`it exited with ${code}: ${first.output()}`);

  const startedAt = performance.now();
  const second = await start("second.log");
  const seconds = (performance.now() - startedAt) / 1000;
  const count = (await client.request("/v1/jobs")).headers.get("x-total-count");
  if (count !== String(examples.split(",").length)) throw new Error(`${count} jobs are left`);
  await second.stop();
  return seconds;
}
