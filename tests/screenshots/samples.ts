import type { Scene } from "./accounts.ts";
import type { Samples } from "./pages.ts";

/** Of which things the pages with a placeholder are shown, and what else is worth a picture. */
export function samplesOf(scene: Scene): Samples {
  return {
    "/dashboard": [{}, { name: "dashboard-first-steps", viewer: "fresh" }],
    "/dashboard/jobs": [{}, { name: "dashboard-jobs-none", viewer: "fresh" }],
    "/dashboard/jobs/[id]": Object.entries(scene.jobs).map(([kind, { id }]) => ({
      name: `dashboard-job-${kind.replace("/", "-")}`,
      path: `/dashboard/jobs/${id}`,
    })),
    "/dashboard/keys": [{}],
    "/dashboard/webhooks": [{}, { name: "dashboard-webhooks-none", viewer: "fresh" }],
    "/dashboard/webhooks/[id]": scene.deliveries.slice(0, 1).map(({ id }) => ({
      name: "dashboard-webhook-delivery",
      path: `/dashboard/webhooks/${id}`,
    })),
    "/dashboard/[...path]": [{ name: "dashboard-not-found", path: "/dashboard/no/such/page" }],
    "/docs/[section]": ["quick-start", "webhooks", "errors"].map((section) => ({
      path: `/docs/${section}`,
    })),
    "/docs/[section]/[operation]": [
      "image/watermark-text",
      "video/preview-clip",
      "document/html-to-pdf",
    ].map((id) => ({ path: `/docs/${id}` })),
    "/": [{}, { name: "not-found", path: "/no/such/page" }],
    "/set-password": [{ viewer: "first" }],
    "/reset-password": [{ path: "/reset-password?token=none" }],
  };
}
