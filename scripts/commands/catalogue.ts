import { operations } from "#lib/operations/catalogue/index.ts";
import { writeOperationLists } from "#lib/setup/catalogue.mjs";
import { renderClients } from "./clients/render-clients.ts";
import { writeStale } from "./generated-files.ts";

/**
 * `npm run catalogue`: writes the files of the packages that are made from the operations, and the lists of
 * operations and samples. The command has written the lists already when it started; samples may be newer.
 */
export async function writeCatalogue(): Promise<void> {
  const written = [...writeOperationLists(), ...(await writeStale(renderClients(operations)))];
  for (const path of written) process.stdout.write(`${path}\n`);
}
