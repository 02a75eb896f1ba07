import type { Device } from "puppeteer";

/** The screen and the user agent of a device. Throws for a name that Puppeteer does not know. */
export async function findDevice(name: string): Promise<Device> {
  // Imported here, because the web service loads this module with the catalogue but never runs it.
  const { KnownDevices } = await import("puppeteer");
  const device = Object.entries(KnownDevices).find(([one]) => one === name)?.[1];
  if (!device) throw new Error(`there is no device ${name}`);
  return device;
}
