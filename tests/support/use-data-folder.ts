import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A data folder for each test file, in the environment before any of our code is loaded. */
const folder = mkdtempSync(join(tmpdir(), "mediamill-data-"));
process.env.DATA_DIR = folder;

afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
