"use client";

import { InboxIcon } from "lucide-react";
import { useState, useTransition } from "react";
import { CodeFrame } from "#components/code/code-frame.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "#components/ui/tabs.tsx";
import { formatBody, formatHeaders } from "./format-request.ts";
import type { DeliveryProgress, SendResult as Result } from "./send/results.ts";
import { SendForm } from "./send/send-form.tsx";
import { SendResult } from "./send/send-result.tsx";

/** A signed sample of an event. */
export interface SampleWebhook {
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface SamplesCardProps {
  readonly samples: readonly SampleWebhook[];
  readonly sendToReceiver: (type: string) => Promise<Result>;
  readonly sendToUrl: (type: string, url: string) => Promise<Result>;
  readonly readProgress: (id: string) => Promise<DeliveryProgress | undefined>;
}

/** Samples of every type of event: to read, and to send. */
export function SamplesCard(props: SamplesCardProps) {
  const { samples, sendToReceiver, sendToUrl, readProgress } = props;
  const [type, setType] = useState(samples[0]?.type ?? "");
  const [result, setResult] = useState<Result>();
  const [pending, start] = useTransition();
  const sample = samples.find((one) => one.type === type);

  function send() {
    const failure = { error: "The sample could not be sent. Try again." };
    start(async () => setResult(await sendToReceiver(type).catch(() => failure)));
  }

  return (
    <Card aria-label="Sample events">
      <CardHeader>
        <div>
          <CardTitle>Sample events</CardTitle>
          <CardDescription>
            Every type of event that webhooks have, signed with your secret. A sample's job does not
            exist, and its <code>metadata</code> has <code>"sample": "true"</code>.
          </CardDescription>
        </div>
      </CardHeader>
      <CardContent className="grid grid-cols-1 gap-5">
        <div className="flex flex-wrap items-end gap-2">
          <Field label="Event" className="min-w-0 flex-[1_1_12rem]">
            {(control) => (
              <Select {...control} value={type} onChange={({ target }) => setType(target.value)}>
                {samples.map((one) => (
                  <option key={one.type}>{one.type}</option>
                ))}
              </Select>
            )}
          </Field>
          <Button onClick={send} disabled={pending}>
            <InboxIcon />
            {pending ? "Sending…" : "Send to the receiver"}
          </Button>
        </div>
        {result && "id" in result && (
          <SendResult key={result.id} id={result.id} read={readProgress} />
        )}
        {result && "error" in result && (
          <p className="text-sm text-destructive" role="alert">
            {result.error}
          </p>
        )}
        <section aria-label="Send to a URL">
          <SendForm
            label="Send to this URL"
            send={(url) => sendToUrl(type, url)}
            read={readProgress}
          />
        </section>
        {sample && <SampleCode sample={sample} />}
      </CardContent>
    </Card>
  );
}

function SampleCode({ sample }: { readonly sample: SampleWebhook }) {
  const headers = formatHeaders(sample.headers);
  const command = curlCommand(sample);
  return (
    <Tabs defaultValue="body" className="min-w-0">
      <TabsList aria-label="Sample">
        <TabsTrigger value="body">Body</TabsTrigger>
        <TabsTrigger value="headers">Headers</TabsTrigger>
        <TabsTrigger value="curl">curl</TabsTrigger>
      </TabsList>
      <TabsContent value="body">
        <CodeFrame code={sample.body} className="[&_pre]:max-h-96" wrap>
          {formatBody(sample.body)}
        </CodeFrame>
      </TabsContent>
      <TabsContent value="headers">
        <CodeFrame code={headers} wrap>
          {headers}
        </CodeFrame>
      </TabsContent>
      <TabsContent value="curl">
        <p className="pb-3 text-sm text-muted-foreground">
          Sends this sample from your machine, also to localhost. Its signature is valid for 5
          minutes after this page was loaded.
        </p>
        <CodeFrame code={command} className="[&_pre]:max-h-96" wrap>
          {command}
        </CodeFrame>
      </TabsContent>
    </Tabs>
  );
}

function curlCommand({ headers, body }: SampleWebhook): string {
  const lines = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`);
  return ["curl http://localhost:3000/hooks", ...lines, `--data-raw ${quote(body)}`].join(
    " \\\n  ",
  );
}

/** A word of a POSIX shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
