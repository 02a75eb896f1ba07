import { writeStale } from "./generated-files.ts";
import { renderAll } from "./render-catalogue.ts";

/** `npm run catalogue`: writes the files that are generated from the operations' folders. */
export async function writeCatalogue(): Promise<void> {
  for (const path of await writeStale(await renderAll())) process.stdout.write(`${path}\n`);
}
