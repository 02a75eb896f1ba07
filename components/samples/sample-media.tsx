import { LockKeyhole } from "lucide-react";
import { formatBytes } from "#components/format.ts";
import { JsonTree } from "#components/preview/json/json-tree.tsx";
import { VideoFrame } from "#components/preview/video-frame.tsx";
import { Waveform } from "#components/preview/waveform.tsx";
import { SampleImage } from "./sample-image.tsx";
import { type SampleFile, sampleUrl } from "./samples.ts";
import { TagList } from "./tag-list.tsx";

interface SampleMediaProps {
  readonly file: SampleFile;
  /** The result, which is shown in place of a JSON file. */
  readonly result?: unknown;
}

/** A preview of a file: an image, a player, a page, a waveform, its tags, its text or its data. */
export function SampleMedia({ file, result }: SampleMediaProps) {
  const url = sampleUrl(file.file);
  const name = file.file.split("/").pop() ?? "";
  if (file.tags) return <TagList tags={file.tags} />;
  if (result !== undefined && result !== null) {
    return (
      <JsonTree
        value={result}
        label={`Data of ${name}`}
        className="max-h-96 w-full self-stretch rounded-none border-0"
      />
    );
  }
  if (/\.(?:jpg|png|apng|webp|gif|avif|svg)$/.test(name)) {
    return (
      <SampleImage
        file={file}
        alt={`File ${name}`}
        loading="lazy"
        className="aspect-3/2 max-h-96 w-full object-contain"
      />
    );
  }
  if (/\.(?:mp4|webm)$/.test(name)) return <SampleVideo file={file} name={name} />;
  if (file.peaks) {
    return (
      <div className="grid w-full gap-3 p-4">
        <Waveform peaks={file.peaks} />
        {/* biome-ignore lint/a11y/useMediaCaption: the audio is music without words. */}
        <audio controls preload="none" src={url} aria-label={`Audio ${name}`} className="w-full" />
      </div>
    );
  }
  if (file.poster) {
    return (
      <img
        src={sampleUrl(file.poster)}
        alt={name.endsWith(".pdf") ? `First page of ${name}` : `A frame of ${name}`}
        loading="lazy"
        className="max-h-112 w-auto max-w-full border-x"
      />
    );
  }
  if (file.entries) return <EntryList entries={file.entries} />;
  if (file.text !== undefined) return <TextStart text={file.text} />;
  if (name.endsWith(".pdf")) {
    return (
      <a
        href={url}
        className="grid justify-items-center gap-3 p-10 text-sm underline-offset-4 hover:underline"
      >
        <LockKeyhole aria-hidden className="size-10 text-muted-foreground" />
        {name} opens with its password only
      </a>
    );
  }
  return (
    <a href={url} className="p-8 font-mono text-sm text-brand underline underline-offset-4">
      {name}
    </a>
  );
}

function SampleVideo({ file, name }: { file: SampleFile; name: string }) {
  return (
    <VideoFrame
      muted
      loop
      preload="none"
      {...(file.poster ? { poster: sampleUrl(file.poster) } : {})}
      src={sampleUrl(file.file)}
      aria-label={`Video ${name}`}
    />
  );
}

/** The files of an archive. */
function EntryList({ entries }: { entries: NonNullable<SampleFile["entries"]> }) {
  return (
    <ul
      aria-label="Files in the archive"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
      className="grid max-h-80 w-full gap-1 self-start overflow-y-auto p-4 font-mono text-xs"
    >
      {entries.map(({ name, bytes }) => (
        <li key={name} className="flex justify-between gap-3">
          <span className="wrap-anywhere">{name}</span>
          <span className="shrink-0 text-muted-foreground tabular-nums">{formatBytes(bytes)}</span>
        </li>
      ))}
    </ul>
  );
}

function TextStart({ text }: { text: string }) {
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard.
      tabIndex={0}
      className="max-h-80 w-full self-stretch overflow-auto p-4 font-mono text-xs leading-relaxed wrap-anywhere whitespace-pre-wrap"
    >
      {text}
    </pre>
  );
}
