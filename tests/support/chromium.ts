import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

/** The Chromium that the setup installs: the headless shell, which needs a quarter less CPU time than the full browser. */
const executablePath = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((path) => existsSync(path));

/** Chromium does not run as root with its own sandbox. */
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

/** How Playwright starts the Chromium of this machine. */
export const launchOptions: LaunchOptions = {
  ...(executablePath === undefined ? {} : { executablePath }),
  args: [...asRoot, "--disable-dev-shm-usage"],
};
