import { PageHeader } from "#components/dashboard/page-header.tsx";
import { SectionLinks } from "./section-links.tsx";

/** The header of the operator's pages, with links to the others. */
export function OperatorHeader({ title, description }: { title: string; description: string }) {
  return (
    <>
      <PageHeader title={title} description={description} />
      <SectionLinks />
    </>
  );
}
