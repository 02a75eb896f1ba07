import type { Metadata } from "next";
import { notFound, permanentRedirect } from "next/navigation";
import { docsAlternates } from "#components/docs/alternates.ts";
import { GuidePage } from "#components/docs/guide-page.tsx";
import { guideHref, readGuide } from "#components/docs/guides.ts";
import { GroupPage } from "#components/docs/reference/group-page.tsx";
import { groupSummaries, groupTitles } from "#components/docs/titles.ts";
import { operationGroups } from "#lib/operations/define.ts";

interface SectionPageProps {
  readonly params: Promise<{ readonly section: string }>;
}

export async function generateMetadata({ params }: SectionPageProps): Promise<Metadata> {
  const { section } = await params;
  const group = operationGroups.find((name) => name === section);
  const alternates = docsAlternates(`/docs/${section}`);
  if (group) return { title: groupTitles[group], description: groupSummaries[group], alternates };
  const guide = readGuide(section);
  return guide ? { title: guide.title, description: guide.summary, alternates } : {};
}

/** A guide, or the operations of a group. */
export default async function SectionPage({ params }: SectionPageProps) {
  const { section } = await params;
  const group = operationGroups.find((name) => name === section);
  if (group) return <GroupPage group={group} />;
  const guide = readGuide(section);
  if (!guide) notFound();
  const href = guideHref(section);
  if (href !== `/docs/${section}`) permanentRedirect(href);
  return <GuidePage guide={guide} />;
}
