import { expect, expectAccessible, test } from "./support/fixtures.ts";

test("an unknown URL has status 404 and links to the home page", async ({ page }) => {
  const response = await page.goto("/no/such/page");
  expect(response?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Page not found");
  await expectAccessible(page);
  await page.getByRole("link", { name: "Go to home page" }).click();
  await expect(page).toHaveURL("/");
});

test("pages of what does not exist have status 404, with any text as the id", async ({
  signedIn: page,
}) => {
  const lists = ["jobs", "requests", "webhooks", "webhooks/endpoints"];
  for (const list of lists) {
    for (const id of ["none", `req_${"0".repeat(24)}`, "%00", "%F0%9F%98%80"]) {
      const response = await page.request.get(`/dashboard/${list}/${id}`);
      expect(response.status(), `${list}/${id}`).toBe(404);
      expect(await response.text(), `${list}/${id}`).toContain("Not found");
    }
  }
  await page.goto("/dashboard/playground?from=%00&request=%00");
  await expect(page.getByText("The job of this link does not exist")).toBeVisible();
});
