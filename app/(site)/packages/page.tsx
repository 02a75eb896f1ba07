import type { Metadata } from "next";
import Link from "next/link";
import { PackageCard } from "#components/packages/package-card.tsx";
import { describePackages } from "#components/packages/packages.ts";
import { packageVersion } from "#lib/api/endpoints/packages/client-packages.ts";
import { measurePackageFiles } from "#lib/api/endpoints/packages/package-files.ts";
import { env } from "#lib/env.ts";

export const metadata: Metadata = {
  title: "Packages",
  description: "Install the clients of this service from the service itself.",
  alternates: { canonical: "/packages" },
};

export default async function PackagesPage() {
  const sizes = await measurePackageFiles();
  return (
    <main id="content" className="mx-auto w-full max-w-6xl px-4 py-10 sm:px-6">
      <h1 className="text-3xl font-semibold tracking-tight">Packages</h1>
      <p className="mt-3 max-w-[68ch] text-muted-foreground">
        The clients of this service, version {packageVersion}, built from its own operations. They
        are in no public registry, so install them with these lines: a package of the same name from
        elsewhere is not ours.
      </p>
      <div className="mt-8 grid grid-cols-1 gap-4">
        {describePackages(env.APP_URL).map((shown) => (
          <PackageCard key={shown.title} shown={shown} bytes={sizes.get(shown.file)} />
        ))}
      </div>
      <p className="mt-8 max-w-[68ch] text-sm text-muted-foreground">
        For tools that look packages up by name, the index of the Python package is{" "}
        <code className="font-mono wrap-anywhere">{env.APP_URL}/packages/simple/</code>: see its{" "}
        <Link href="/docs/python#install-from-an-index" className="underline underline-offset-4">
          guide
        </Link>
        . After an update of the service, run the lines again.
      </p>
    </main>
  );
}
