import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { CodeBlock } from "#components/code/code-block.tsx";
import { requestSnippets } from "#components/code/snippets.ts";
import { formatBytes } from "#components/format.ts";
import { ValueList } from "#components/jobs/job-data.tsx";
import {
  playgroundPathOf,
  requestOfRecipe,
  titleOfRecipe,
} from "#components/shared-result/recipe.ts";
import { SharedFiles } from "#components/shared-result/shared-files.tsx";
import { SharedNumbers } from "#components/shared-result/shared-numbers.tsx";
import { throughSignIn } from "#components/sign-in/playground-link.tsx";
import { Button } from "#components/ui/button.tsx";
import { LocalTime } from "#components/ui/local-time.tsx";
import { env } from "#lib/env.ts";
import { cardOf } from "#lib/jobs/view/share-card.ts";
import type { SharedResult } from "#lib/jobs/view/shared-result.ts";
import { readShare } from "./read-share.ts";

interface SharePageProps {
  readonly params: Promise<{ token: string }>;
}

export async function generateMetadata({ params }: SharePageProps): Promise<Metadata> {
  const { token } = await params;
  const result = await readShare(token);
  const robots = { index: false, follow: false };
  if (!result) return { title: "No longer shared", robots };
  const title = result.title ?? titleOfRecipe(result);
  const description = describeShare(result);
  const images = picturesOf(result, token, title);
  return {
    title,
    description,
    robots,
    openGraph: { title, description, type: "website", url: `/r/${token}`, images },
    twitter: { card: "summary_large_image", title, description, images },
  };
}

/** The picture for the preview of a link: the output, a frame or page of it, or that of the service. */
function picturesOf({ outputs }: SharedResult, token: string, alt: string) {
  const card = cardOf(outputs);
  const output = card && outputs[card.index];
  if (!output) return ["/opengraph-image.png"];
  if (card.isDrawn) return [{ url: `/files/r/${token}/card.jpg`, alt }];
  const { url, width, height } = output;
  return [{ url, ...(width && height ? { width, height } : {}), alt }];
}

/** One line for the preview of a link: "Resize image: 1.2 MB to 84 kB, made with Mediamill". */
function describeShare(result: SharedResult): string {
  const bytes = result.outputs.reduce((sum, output) => sum + output.bytes, 0);
  const sizes =
    result.inputBytes === null
      ? formatBytes(bytes)
      : `${formatBytes(result.inputBytes)} to ${formatBytes(bytes)}`;
  return `${titleOfRecipe(result)}: ${sizes}, made with Mediamill`;
}

/** A result that an account has shared. It says nothing of the account. */
export default async function SharePage({ params }: SharePageProps) {
  const result = await readShare((await params).token);
  if (!result) notFound();
  const name = titleOfRecipe(result);
  const { curl = "" } = requestSnippets(requestOfRecipe(result, env.APP_URL));
  const tryIt = await throughSignIn(playgroundPathOf(result));
  return (
    <main id="content" className="mx-auto grid w-full max-w-5xl gap-10 px-4 py-10 sm:px-6">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="text-3xl font-semibold tracking-tight break-words">
            {result.title ?? name}
          </h1>
          {result.title !== null && <p className="mt-2 text-muted-foreground">{name}</p>}
        </div>
        <Button asChild variant="brand" size="lg">
          <a href={tryIt}>Try it on your file</a>
        </Button>
      </div>
      <SharedFiles input={result.input} outputs={result.outputs} />
      <SharedNumbers result={result} />
      <section aria-labelledby="recipe" className="grid grid-cols-1 gap-6">
        <h2 id="recipe" className="text-xl font-semibold tracking-tight">
          Recipe
        </h2>
        {result.steps.map(({ type, params }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a result never change
          <div key={index} className="grid gap-3">
            <h3 className="font-mono text-sm">{type}</h3>
            <ValueList values={params} empty="No parameters." />
          </div>
        ))}
        {result.hiddenParams.length > 0 && (
          <p className="text-sm text-muted-foreground">
            Not shown, because they are secret: {result.hiddenParams.join(", ")}.
          </p>
        )}
        <CodeBlock code={curl} language="bash" title="The same as one call" wrap />
      </section>
      <p className="text-sm text-muted-foreground">
        This page is public for anyone with the link, until{" "}
        <LocalTime time={result.expiresAt.toISOString()} />.
      </p>
    </main>
  );
}
