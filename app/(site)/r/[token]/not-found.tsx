import { UnlinkIcon } from "lucide-react";
import Link from "next/link";
import { Button } from "#components/ui/button.tsx";

export default function ShareNotFoundPage() {
  return (
    <main id="content" className="mx-auto grid max-w-2xl justify-items-start gap-4 px-6 py-24">
      <UnlinkIcon aria-hidden="true" className="size-8 text-brand" strokeWidth={1.5} />
      <h1 className="text-3xl font-semibold tracking-tight">This result is no longer shared</h1>
      <p className="text-muted-foreground">
        The link has expired, its owner revoked it, or it is not complete. Ask who sent it for
        another one.
      </p>
      <Button asChild>
        <Link href="/">Go to home page</Link>
      </Button>
    </main>
  );
}
