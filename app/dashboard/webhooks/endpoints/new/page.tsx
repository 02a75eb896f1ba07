import type { Metadata } from "next";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { NewEndpointCard } from "#components/webhooks/endpoints/new-endpoint-card.tsx";
import { requireAccount } from "#lib/auth/session.ts";
import { createOwnEndpoint } from "../actions.ts";

export const metadata: Metadata = { title: "Add endpoint" };

export default async function NewEndpointPage() {
  await requireAccount();
  return (
    <>
      <PageHeader
        title="Add endpoint"
        parent={{ href: "/dashboard/webhooks", label: "Webhooks" }}
      />
      <NewEndpointCard create={createOwnEndpoint} />
    </>
  );
}
