import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectFolder } from "../setup/node24.mjs";
import { findStaleFiles } from "./render-catalogue.ts";

/** `npm run catalogue`: writes the files that are generated from the operations' folders. */
export async function writeCatalogue(): Promise<void> {
  for (const { path, content } of await findStaleFiles()) {
    await writeFile(join(projectFolder, path), content);
    process.stdout.write(`${path}\n`);
  }
}
