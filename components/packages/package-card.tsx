import Link from "next/link";
import { CodeBlock } from "#components/code/code-block.tsx";
import { formatBytes } from "#components/format.ts";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import type { ShownPackage } from "./packages.ts";

interface PackageCardProps {
  readonly shown: ShownPackage;
  /** The size of its file; undefined if it is not built. */
  readonly bytes: number | undefined;
}

const link = "underline underline-offset-4 hover:text-foreground";

/** A package, and the command that installs it. */
export function PackageCard({ shown, bytes }: PackageCardProps) {
  const { title, summary, command, file, guide } = shown;
  const id = `package-${title.toLowerCase().replaceAll(" ", "-")}`;
  return (
    <Card aria-labelledby={id} className="min-w-0">
      <CardHeader>
        <div className="min-w-0">
          <CardTitle id={id}>{title}</CardTitle>
          <CardDescription>{summary}</CardDescription>
        </div>
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted-foreground">
          {bytes === undefined ? (
            <span>Not built yet: npm run packages builds it</span>
          ) : (
            <a href={`/packages/${file}`} download className={link}>
              Download <span className="sr-only">{title}</span> ({formatBytes(bytes)})
            </a>
          )}
          <Link href={guide} prefetch={false} className={link}>
            Guide <span className="sr-only">to {title}</span>
          </Link>
        </p>
      </CardHeader>
      <CardContent className="pt-4">
        <CodeBlock code={command} language="bash" wrap isPublic />
      </CardContent>
    </Card>
  );
}
