import { loadCatalogue } from "../catalogue/catalogue.ts";
import type { Settings } from "../settings/settings.ts";
import { notify, printJson, printTable } from "../terminal/print.ts";

/**
 * Runs `mediamill operations`, which lists those that have all the words in their id or summary.
 */
export async function listOperations(
  { baseUrl }: Settings,
  words: readonly string[],
  isJson: boolean,
): Promise<void> {
  const wanted = words.map((word) => word.toLowerCase());
  const all = await loadCatalogue(baseUrl, { isNewest: true });
  const found = all.filter(({ id, summary }) => {
    const text = `${id} ${summary}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
  if (isJson) for (const operation of found) printJson(operation, true);
  else printTable(found.map(({ id, summary }) => [id.replace("/", " "), summary]));
  if (found.length === 0) notify(`No operation of ${baseUrl} has the words ${words.join(" ")}.`);
}
