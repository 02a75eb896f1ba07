import { execFileSync } from "node:child_process";

/** Encrypts a file in place with qpdf. `user` is the password to open, empty for none; `permissions` such as `--print=none`. */
export function encryptPdf(path: string, user: string, ...permissions: string[]): void {
  const options = ["--encrypt", user, "owner", "256", ...permissions, "--"];
  execFileSync("qpdf", [path, "--replace-input", ...options]);
}
