"use client";

import { type FormEvent, useState, useTransition } from "react";
import { Button } from "#components/ui/button.tsx";
import { Card, CardContent, CardDescription, CardHeader, CardTitle } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Field } from "#components/ui/inputs/field.tsx";
import { Input } from "#components/ui/inputs/input.tsx";
import { Select } from "#components/ui/inputs/select.tsx";
import { picturePath } from "./picture-path.ts";

const resizes = ["fit", "fill", "fill-down", "force", "auto"];
const gravities = [
  ["", "Center"],
  ["sm", "What attracts attention"],
  ["no", "Top"],
  ["so", "Bottom"],
  ["we", "Left"],
  ["ea", "Right"],
] as const;
const formats = ["", "avif", "webp", "jpg", "png", "gif", "jxl"];

interface UrlBuilderProps {
  readonly keyIds: readonly string[];
  /** The signed URL of a path of options and a source, or what is wrong with it. */
  readonly signUrl: (
    keyId: string,
    path: string,
  ) => Promise<{ readonly url: string } | { readonly error: string }>;
}

/** Makes a signed URL, and shows the picture. */
export function UrlBuilder({ keyIds, signUrl }: UrlBuilderProps) {
  const [url, setUrl] = useState<string>();
  const [error, setError] = useState<string>();
  const [pending, start] = useTransition();

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const read = (name: string) => String(form.get(name) ?? "");
    const path = picturePath({
      source: read("source"),
      resize: read("resize"),
      width: read("width"),
      height: read("height"),
      gravity: read("gravity"),
      format: read("format"),
      quality: read("quality"),
      more: read("more"),
    });
    start(async () => {
      const result = await signUrl(read("key"), path).catch(() => ({
        error: "The URL could not be signed. Try again.",
      }));
      setError("error" in result ? result.error : undefined);
      setUrl("url" in result ? result.url : undefined);
    });
  }

  return (
    <Card>
      <CardHeader>
        <div>
          <CardTitle>Try a URL</CardTitle>
          <CardDescription>Signed with one of your keys.</CardDescription>
        </div>
      </CardHeader>
      <CardContent>
        <form onSubmit={submit} className="grid gap-4">
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label="Source">
              {(control) => (
                <Input
                  {...control}
                  name="source"
                  required
                  maxLength={2048}
                  placeholder="https://example.com/photo.jpg"
                  autoComplete="off"
                />
              )}
            </Field>
            <SelectField label="Key" name="key" options={keyIds.map((id) => [id, id])} />
          </div>
          <div className="grid grid-cols-2 gap-4 md:grid-cols-4">
            <SelectField label="Resize" name="resize" options={resizes.map((one) => [one, one])} />
            <NumberField label="Width" name="width" max={10_000} defaultValue={600} />
            <NumberField label="Height" name="height" max={10_000} />
            <SelectField label="Keep" name="gravity" options={gravities} />
            <SelectField
              label="Format"
              name="format"
              options={formats.map((one) => [one, one || "By client"])}
            />
            <NumberField label="Quality" name="quality" max={100} />
            <Field label="Further options">
              {(control) => (
                <Input {...control} name="more" placeholder="bl:2/pd:10" autoComplete="off" />
              )}
            </Field>
            <Button type="submit" disabled={pending} className="self-end">
              {pending ? "Signing…" : "Show picture"}
            </Button>
          </div>
        </form>
        {error && (
          <p role="alert" className="mt-4 text-sm text-destructive">
            {error}
          </p>
        )}
        {url && <Picture key={url} url={url} />}
      </CardContent>
    </Card>
  );
}

function Picture({ url }: { readonly url: string }) {
  const [problem, setProblem] = useState<string>();
  async function explain() {
    const response = await fetch(url).catch(() => undefined);
    setProblem((await response?.text()) ?? "The picture could not be loaded.");
  }
  return (
    <div className="mt-4 grid min-w-0 gap-4">
      <div className="flex min-w-0 items-center gap-2 rounded-md border border-input bg-card py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono text-xs break-all">{url}</code>
        <CopyButton text={url} label="Copy URL" />
      </div>
      {problem === undefined ? (
        <img
          src={url}
          alt="The result"
          onError={explain}
          className="max-h-[32rem] max-w-full justify-self-center rounded-md border"
        />
      ) : (
        <p role="alert" className="text-sm text-destructive">
          {problem}
        </p>
      )}
    </div>
  );
}

interface SelectFieldProps {
  readonly label: string;
  readonly name: string;
  readonly options: readonly (readonly [value: string, label: string])[];
}

function SelectField({ label, name, options }: SelectFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} name={name}>
          {options.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly name: string;
  readonly max: number;
  readonly defaultValue?: number;
}

function NumberField({ label, name, max, defaultValue }: NumberFieldProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          name={name}
          type="number"
          min={1}
          max={max}
          defaultValue={defaultValue}
        />
      )}
    </Field>
  );
}
