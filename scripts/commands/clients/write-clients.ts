import { operations } from "#lib/operations/catalogue/index.ts";
import { writeStale } from "../generated-files.ts";
import { renderClients } from "./render-clients.ts";

/** Makes the files of the packages that are made from the operations, unless they are current. */
export async function writeClients(): Promise<void> {
  await writeStale(renderClients(operations));
}
