import { lockDataFolderForService } from "./data-folder.ts";
import { loadEnvironment } from "./environment.ts";
import { chooseListenPort } from "./listen-address.ts";
import { exitOnKnownError } from "./start-error.ts";

/**
 * The program that the set-up runs before it installs and builds for minutes: ends with one line on stderr if `npm start`
 * would.
 */
await exitOnKnownError(async () => {
  const env = await loadEnvironment();
  const folder = await lockDataFolderForService(env.DATA_DIR);
  await chooseListenPort(env);
  folder.release();
});
