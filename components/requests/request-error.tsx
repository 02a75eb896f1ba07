import { CircleAlertIcon, WrenchIcon } from "lucide-react";
import Link from "next/link";
import { Button } from "#components/ui/button.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { InlineCode } from "#components/ui/inline-code.tsx";
import type { ListedRequest } from "#lib/db/queries/requests/lists.ts";
import { findOperation } from "#lib/operations/catalogue/index.ts";
import { opensInPlayground, operationOf, toCurl } from "./logged-call.ts";
import { readRejection } from "./rejected-field.ts";
import { adviceFor } from "./request-advice.ts";
import { findFix, type RequestFix } from "./request-fix.ts";

interface RequestErrorProps {
  readonly request: ListedRequest;
  readonly baseUrl: string;
}

/** Why a request was rejected: its message, what to do, the request that would work, and the docs of the field. */
export function RequestError({ request, baseUrl }: RequestErrorProps) {
  const { error, errorCode } = request;
  if (error === null) return null;
  const fix = findFix(request);
  return (
    <section
      aria-label="Error"
      className="flex gap-3 rounded-xl border border-destructive/40 bg-destructive/5 p-5 text-sm"
    >
      <CircleAlertIcon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-destructive" />
      <div className="grid min-w-0 flex-1 gap-1.5">
        <p className="font-medium break-words">
          <InlineCode text={error} />
        </p>
        {errorCode && <p className="text-muted-foreground">{adviceFor(errorCode)}</p>}
        {fix && <Fix fix={fix} id={request.id} baseUrl={baseUrl} />}
        <p className="flex flex-wrap gap-x-4 gap-y-1">
          <FieldDocs request={request} fix={fix} />
          <DocsLink href="/docs/errors#error-responses">
            {errorCode ? `What ${errorCode} means` : "Error codes"}
          </DocsLink>
        </p>
      </div>
    </section>
  );
}

/** The change of the request, and the ways to send it. */
function Fix({ fix, id, baseUrl }: { fix: RequestFix; id: string; baseUrl: string }) {
  return (
    <div className="my-2 grid gap-3">
      <div className="overflow-x-auto rounded-lg border bg-background p-3 font-mono text-xs leading-6">
        <Change kind="del" text={fix.before} />
        <Change kind="ins" text={fix.after} />
      </div>
      <div className="flex flex-wrap gap-2">
        {opensInPlayground(fix.request) && (
          <Button asChild size="sm">
            <Link href={`/dashboard/playground?request=${id}&fix=1`}>
              <WrenchIcon aria-hidden="true" />
              Open in playground with the fix
            </Link>
          </Button>
        )}
        <CopyButton
          text={toCurl(fix.request, baseUrl)}
          label="Copy as curl with the fix"
          withText
        />
      </div>
    </div>
  );
}

const changes = {
  del: { sign: "−", name: "Before: ", className: "text-destructive" },
  ins: { sign: "+", name: "After: ", className: "text-success" },
} as const;

function Change({ kind: Element, text }: { kind: "del" | "ins"; text: string }) {
  const { sign, name, className } = changes[Element];
  return text.split("\n").map((line) => (
    <Element key={line} className={`block whitespace-pre no-underline ${className}`}>
      <span aria-hidden="true" className="mr-2 select-none">
        {sign}
      </span>
      <span className="sr-only">{name}</span>
      {line}
    </Element>
  ));
}

/** The docs of the field that was meant, or of the operation. */
function FieldDocs({
  request,
  fix,
}: Pick<RequestErrorProps, "request"> & { fix?: RequestFix | undefined }) {
  const { field, operation: named, names } = readRejection(request.error ?? "");
  const operation = findOperation(named ?? "") ?? operationOf(fix?.request ?? request);
  if (!operation) return null;
  const meant = [fix?.field, field, ...names].find(
    (name) => name !== undefined && Object.hasOwn(operation.params.shape, name),
  );
  if (fix?.field === "metadata" || field === "metadata") {
    return <DocsLink href="/docs/jobs#add-metadata">metadata in the docs</DocsLink>;
  }
  return (
    <DocsLink href={`/docs/${operation.id}${meant ? `#${meant}` : ""}`}>
      {meant ? `${meant} in the docs of ${operation.id}` : `Docs of ${operation.id}`}
    </DocsLink>
  );
}

function DocsLink({ href, children }: { href: string; children: string | readonly string[] }) {
  return (
    <Link href={href} prefetch={false} className="text-brand underline underline-offset-4">
      {children}
    </Link>
  );
}
