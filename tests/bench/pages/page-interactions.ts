import type { Locator } from "@playwright/test";
import type { Interaction } from "./page-vitals.ts";

/** Hovers over a link for about as long as a person takes from pointing to clicking. */
async function pointAt(link: Locator): Promise<void> {
  await link.hover();
  await link.page().waitForTimeout(150);
}

const phone = { width: 390, height: 844 };

/**
 * The most frequent interactions of users, on an account that has jobs, one of them failed. `imageJob`: the
 * path of a job with an image.
 */
export function createInteractions({ imageJob }: { readonly imageJob: string }): Interaction[] {
  return [
    {
      name: "open the navigation on a phone",
      path: "/dashboard",
      viewport: phone,
      act: (page) => page.getByRole("button", { name: "Open navigation" }).click(),
      seen: () => document.querySelector("[role=dialog] nav") !== null && performance.now(),
    },
    {
      name: "go from the overview to the jobs",
      path: "/dashboard",
      prepare: (page) => pointAt(page.getByRole("link", { name: "Jobs", exact: true })),
      act: (page) => page.getByRole("link", { name: "Jobs", exact: true }).click(),
      seen: () => document.querySelector("#filter-id") !== null && performance.now(),
    },
    {
      name: "go from the overview to the playground",
      path: "/dashboard",
      prepare: (page) => pointAt(page.getByRole("link", { name: "Playground" }).first()),
      act: (page) => page.getByRole("link", { name: "Playground" }).first().click(),
      seen: () => document.querySelector("h1")?.textContent === "Playground" && performance.now(),
    },
    {
      name: "select a day of the chart",
      path: "/dashboard",
      act: (page) => page.getByRole("slider", { name: "Jobs per day" }).click(),
      seen: () => document.querySelector("[role=slider] .bg-accent") !== null && performance.now(),
    },
    {
      name: "filter the jobs by status",
      path: "/dashboard/jobs",
      prepare: (page) => page.getByLabel("Status").focus(),
      act: (page) => page.keyboard.press("f"),
      seen: () => {
        const rows = [...document.querySelectorAll('[aria-label="Jobs"] tbody tr')];
        const haveFailed = rows.every((row) => row.textContent?.includes("Failed"));
        return rows.length > 0 && haveFailed && performance.now();
      },
    },
    {
      name: "open a job of the list",
      path: "/dashboard/jobs?operation=image%2Fwatermark-text",
      prepare: (page) => pointAt(page.getByRole("link", { name: "image/watermark-text" }).first()),
      act: (page) => page.getByRole("link", { name: "image/watermark-text" }).first().click(),
      seen: () =>
        document.querySelector("h1")?.textContent === "image/watermark-text" && performance.now(),
    },
    {
      name: "switch a job's preview to its input",
      path: imageJob,
      act: (page) => page.getByRole("tab", { name: "Input" }).click(),
      seen: () =>
        document.querySelector("[role=tabpanel][id$=before][data-state=active] img") !== null &&
        performance.now(),
    },
    {
      name: "switch a job's request to Python",
      path: imageJob,
      act: (page) => page.getByRole("tab", { name: "Python" }).click(),
      seen: () =>
        document.querySelector("[role=tabpanel][id$=python][data-state=active]") !== null &&
        performance.now(),
    },
    {
      name: "type a text in the playground",
      path: "/dashboard/playground",
      prepare: (page) => page.getByRole("textbox", { name: /^text/ }).fill(""),
      act: (page) => page.keyboard.type("Breakfast at eight", { delay: 40 }),
      seen: () =>
        [...document.querySelectorAll("textarea, input")].some(
          (field) => "value" in field && field.value === "L",
        ) && performance.now(),
    },
    {
      name: "choose another operation",
      path: "/dashboard/playground",
      prepare: async (page) => {
        await page.getByRole("button", { name: /^Operation:/ }).click();
        await page.getByPlaceholder("Search operations…").fill("normalize");
      },
      act: (page) => page.keyboard.press("Enter"),
      seen: () => document.body.innerText.includes("target_lufs") && performance.now(),
    },
    {
      name: "open the dialog of a new key",
      path: "/dashboard/keys",
      act: (page) => page.getByRole("button", { name: "Create key" }).click(),
      seen: () => document.querySelector("[role=dialog] form") !== null && performance.now(),
    },
    {
      name: "open the search",
      path: "/docs",
      act: (page) => page.keyboard.press("Control+k"),
      seen: () =>
        document.querySelector("[role=dialog] [role=option]") !== null && performance.now(),
    },
    {
      name: "type in the search",
      path: "/docs",
      prepare: async (page) => {
        await page.keyboard.press("Control+k");
        await page.getByRole("option").first().waitFor();
      },
      act: (page) => page.keyboard.type("loudness", { delay: 40 }),
      seen: () =>
        document.querySelector("[role=option]")?.textContent?.includes("Normalize") === true &&
        performance.now(),
    },
    {
      name: "switch the theme",
      path: "/",
      act: (page) => page.getByRole("button", { name: /^Theme/ }).click(),
      seen: () => document.querySelector('[title="Theme: light"]') !== null && performance.now(),
    },
  ];
}
