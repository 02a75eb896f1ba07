import { guideSlugs } from "#components/docs/guides.ts";
import { operationGroups } from "#lib/operations/define.ts";
import type { SampleData } from "./accounts.ts";
import type { Samples } from "./pages.ts";
import * as states from "./states.ts";
import { typicalOperations } from "./typical-operations.ts";

/** The values of placeholders in page patterns, and the page states that get a screenshot. */
export function createPageSamples(data: SampleData): Samples {
  const dialog = { windowOnly: true } as const;
  return {
    "/": [{}, { name: "not-found", path: "/no/such/page" }],
    "/dashboard": [
      {},
      { name: "dashboard-first-steps", viewer: "fresh" },
      { name: "dashboard-navigation", act: states.openNavigation, ...dialog },
    ],
    "/dashboard/[...path]": [{ name: "dashboard-not-found", path: "/dashboard/no/such/page" }],
    "/dashboard/jobs": [
      {},
      { name: "dashboard-jobs-none", viewer: "fresh" },
      {
        name: "dashboard-jobs-no-match",
        path: "/dashboard/jobs?status=failed&operation=audio/convert",
      },
    ],
    "/dashboard/jobs/[id]": Object.entries(data.jobs).map(([kind, { id }]) => ({
      name: `dashboard-job-${kind.replace("/", "-")}`,
      path: `/dashboard/jobs/${id}`,
    })),
    "/dashboard/connections": [
      {},
      { name: "dashboard-connections-none", viewer: "fresh" },
      { name: "dashboard-connections-create", act: states.openNewConnection, ...dialog },
    ],
    "/dashboard/keys": [
      {},
      { name: "dashboard-keys-create", act: states.openNewKey, ...dialog },
      { name: "dashboard-keys-created", act: states.createKey, ...dialog, viewer: "spare" },
    ],
    "/dashboard/operator/accounts/[id]": [
      {
        name: "dashboard-operator-account",
        path: `/dashboard/operator/accounts/${data.busy.accountId}`,
      },
    ],
    "/dashboard/playground": [
      {},
      { name: "dashboard-playground-operations", act: states.openOperations, ...dialog },
      { name: "dashboard-playground-wrong", act: states.runWithoutFile },
      { name: "dashboard-playground-done", act: states.runSample },
    ],
    "/dashboard/requests": [{}, { name: "dashboard-requests-none", viewer: "fresh" }],
    "/dashboard/requests/[id]": [
      { name: "dashboard-request-rejected", path: `/dashboard/requests/${data.rejectedRequest}` },
    ],
    "/dashboard/settings": [
      {},
      { name: "dashboard-error", act: states.breakSettings, fails: true },
    ],
    "/dashboard/usage": [{}, { name: "dashboard-usage-none", viewer: "fresh" }],
    "/dashboard/webhooks": [{}, { name: "dashboard-webhooks-none", viewer: "fresh" }],
    "/dashboard/webhooks/endpoints/[id]": [
      {
        name: "dashboard-webhook-endpoint",
        path: `/dashboard/webhooks/endpoints/${data.endpoint}`,
      },
    ],
    "/dashboard/webhooks/[id]": data.deliveries.slice(0, 1).map(({ id }) => ({
      name: "dashboard-webhook-delivery",
      path: `/dashboard/webhooks/${id}`,
    })),
    "/docs": [{}, { name: "docs-search", act: states.searchDocs, ...dialog }],
    "/docs/[section]": [...guideSlugs.slice(1), ...operationGroups].map((section) => ({
      path: `/docs/${section}`,
    })),
    "/docs/[section]/[operation]": typicalOperations.map(({ id }) => ({ path: `/docs/${id}` })),
    "/r/[token]": [
      { name: "share", path: `/r/${data.share}` },
      { name: "share-ended", path: "/r/none" },
    ],
    "/reset-password": [{ path: "/reset-password?token=none" }],
    "/device": [
      { viewer: "fresh" },
      { name: "error", viewer: "busy", act: states.breakDevice, fails: true },
    ],
    "/set-password": [{ viewer: "first" }],
    "/sign-in": [{}, { name: "sign-in-wrong", act: states.signInWrong }],
  };
}
