import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

/** The browser of this machine, as the set-up installs it: the whole one where it is there. */
const executablePath = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/google-chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
].find((path) => existsSync(path));

/** Chromium refuses to run as root inside its own sandbox. */
const asRoot = process.getuid?.() === 0 ? ["--no-sandbox"] : [];

/** How Playwright starts this machine's own Chromium. */
export const launchOptions: LaunchOptions = {
  ...(executablePath === undefined ? {} : { executablePath }),
  args: [...asRoot, "--disable-dev-shm-usage"],
};
