import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { docsAlternates } from "#components/docs/alternates.ts";
import { GuidePage } from "#components/docs/guide-page.tsx";
import { guideSlugs, readGuide } from "#components/docs/guides.ts";

export const metadata: Metadata = {
  title: "Docs",
  description: "Guides and API reference of Mediamill.",
  alternates: docsAlternates("/docs"),
};

export default function DocsPage() {
  const guide = readGuide(guideSlugs[0]);
  if (!guide) notFound();
  return <GuidePage guide={guide} />;
}
