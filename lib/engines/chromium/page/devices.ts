import type { Device } from "puppeteer";

/** The devices that Puppeteer describes, each also as `<name> landscape`. */
const models = [
  "Blackberry PlayBook",
  "BlackBerry Z30",
  "Galaxy Note 3",
  "Galaxy Note II",
  "Galaxy S III",
  "Galaxy S5",
  "Galaxy S8",
  "Galaxy S9+",
  "Galaxy Tab S4",
  "iPad",
  "iPad (gen 6)",
  "iPad (gen 7)",
  "iPad Mini",
  "iPad Pro",
  "iPad Pro 11",
  "iPhone 4",
  "iPhone 5",
  "iPhone 6",
  "iPhone 6 Plus",
  "iPhone 7",
  "iPhone 7 Plus",
  "iPhone 8",
  "iPhone 8 Plus",
  "iPhone SE",
  "iPhone SE (3rd gen)",
  "iPhone X",
  "iPhone XR",
  "iPhone 11",
  "iPhone 11 Pro",
  "iPhone 11 Pro Max",
  "iPhone 12",
  "iPhone 12 Pro",
  "iPhone 12 Pro Max",
  "iPhone 12 Mini",
  "iPhone 13",
  "iPhone 13 Pro",
  "iPhone 13 Pro Max",
  "iPhone 13 Mini",
  "iPhone 14",
  "iPhone 14 Plus",
  "iPhone 14 Pro",
  "iPhone 14 Pro Max",
  "iPhone 15",
  "iPhone 15 Plus",
  "iPhone 15 Pro",
  "iPhone 15 Pro Max",
  "iPhone 16",
  "iPhone 16 Plus",
  "iPhone 16 Pro",
  "iPhone 16 Pro Max",
  "iPhone 16e",
  "iPhone 17",
  "iPhone Air",
  "iPhone 17 Pro",
  "iPhone 17 Pro Max",
  "iPhone 17e",
  "JioPhone 2",
  "Kindle Fire HDX",
  "LG Optimus L70",
  "Microsoft Lumia 550",
  "Microsoft Lumia 950",
  "Nexus 10",
  "Nexus 4",
  "Nexus 5",
  "Nexus 5X",
  "Nexus 6",
  "Nexus 6P",
  "Nexus 7",
  "Nokia Lumia 520",
  "Nokia N9",
  "Pixel 2",
  "Pixel 2 XL",
  "Pixel 3",
  "Pixel 4",
  "Pixel 4a (5G)",
  "Pixel 5",
  "Moto G4",
] as const;

/** Devices of which Puppeteer has no landscape form. */
const portraitOnly: readonly string[] = ["Microsoft Lumia 550"];

/** The names of all devices. */
export const deviceNames: readonly string[] = models.flatMap((name) =>
  portraitOnly.includes(name) ? [name] : [name, `${name} landscape`],
);

/** The screen and the user agent of a device. Throws for a name that is not in the list. */
export async function findDevice(name: string): Promise<Device> {
  // Imported here, because the web service loads this module with the catalogue but never runs it.
  const { KnownDevices } = await import("puppeteer");
  const device = Object.entries(KnownDevices).find(([one]) => one === name)?.[1];
  if (!device) throw new Error(`there is no device ${name}`);
  return device;
}
