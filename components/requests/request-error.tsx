import { CircleAlertIcon } from "lucide-react";
import Link from "next/link";
import { InlineCode } from "#components/ui/inline-code.tsx";
import type { ListedRequest } from "#lib/db/queries/requests/lists.ts";
import { operationOf } from "./logged-call.ts";
import { adviceFor, fieldOf } from "./request-advice.ts";

/** Why a request was rejected: its message, the field, what to do, and where the docs explain it. */
export function RequestError({ request }: { request: ListedRequest }) {
  const { error, errorCode } = request;
  if (error === null) return null;
  const field = fieldOf(error);
  const operation = operationOf(request);
  const isParameter = operation && field && Object.hasOwn(operation.params.shape, field);
  return (
    <section
      aria-label="Error"
      className="flex gap-3 rounded-xl border border-destructive/40 bg-destructive/5 p-5 text-sm"
    >
      <CircleAlertIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-destructive" />
      <div className="grid min-w-0 gap-1.5">
        <p className="font-medium break-words">
          <InlineCode text={error} />
        </p>
        {errorCode && <p className="text-muted-foreground">{adviceFor(errorCode)}</p>}
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          {operation && (
            <DocsLink href={`/docs/${operation.id}${isParameter ? `#${field}` : ""}`}>
              {isParameter ? `${field} in the docs of ${operation.id}` : `Docs of ${operation.id}`}
            </DocsLink>
          )}
          <DocsLink href="/docs/errors#error-responses">
            {errorCode ? `What ${errorCode} means` : "Error codes"}
          </DocsLink>
        </p>
      </div>
    </section>
  );
}

function DocsLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} prefetch={false} className="text-brand underline underline-offset-4">
      {children}
    </Link>
  );
}
