import { execProgram } from "../zygote/exec-program.ts";

/** Encrypts a file in place with qpdf. `user` is the password to open, empty for none; `permissions` such as `--print=none`. */
export function encryptPdf(path: string, user: string, ...permissions: string[]): void {
  const options = ["--encrypt", user, "owner", "256", ...permissions, "--"];
  execProgram("qpdf", [path, "--replace-input", ...options]);
}
