import { accessSync, constants } from "node:fs";
import { SetupError } from "./command.mjs";
import { projectFolder } from "./node24.mjs";

/** Throws `SetupError` if this user cannot write to the project's folder, which installing and building do. */
export function requireWritableProject() {
  try {
    accessSync(projectFolder, constants.W_OK);
  } catch {
    throw new SetupError(
      `${projectFolder} cannot be written by this user. Start as the owner of this folder, or make this user its owner with chown -R.`,
    );
  }
}
