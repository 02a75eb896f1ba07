"use client";

import { CodeFrame } from "#components/code/code-frame.tsx";
import type { Job } from "#lib/jobs/view/job.ts";
import { type RawResponse, writeResponse } from "../form/raw-response.ts";
import { type SentForm, toRunRequest } from "../steps/run-request.ts";
import { writeRequest } from "./raw-request.ts";

interface ExchangeViewProps {
  readonly sent: SentForm;
  readonly response: RawResponse;
  /** The job as it is now; undefined if there is none. */
  readonly job: Job | undefined;
  /** The service's URL, without a trailing slash. */
  readonly baseUrl: string;
}

/** What was sent and what came back, as text that can be copied. */
export function ExchangeView({ sent, response, job, baseUrl }: ExchangeViewProps) {
  const request = toRunRequest(sent.steps, sent.sources, sent.options, "hidden");
  return (
    <div className="grid grid-cols-1 gap-4">
      <p className="text-sm text-muted-foreground">
        The request as the API gets it from you. The playground sends your session instead of a key.
        Secret values are ***.
      </p>
      {request && <RawText title="Request" text={writeRequest(request, baseUrl)} />}
      <RawText title={`Response, status ${response.status}`} text={writeResponse(response)} />
      {job && <RawText title="The job now" text={JSON.stringify(job, null, 2)} />}
    </div>
  );
}

function RawText({ title, text }: { title: string; text: string }) {
  return (
    <CodeFrame title={title} code={text} wrap className="min-w-0">
      <code>{text}</code>
    </CodeFrame>
  );
}
