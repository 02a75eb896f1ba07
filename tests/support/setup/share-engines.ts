import { mkdirSync } from "node:fs";
import { join } from "node:path";

/**
 * One data folder for each worker, which runs many test files one after the other. It is set before any
 * module reads the environment.
 */
const folder = join(process.env.TEST_OPERATIONS_FOLDER ?? "", `data-${process.pid}`);
mkdirSync(folder, { recursive: true });
process.env.DATA_DIR = folder;
