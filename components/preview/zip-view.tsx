"use client";

import { useEffect, useState } from "react";
import { formatBytes } from "#components/format.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import {
  Table,
  TableBody,
  TableCell,
  TableHead,
  TableHeader,
  TableRow,
} from "#components/ui/table.tsx";
import type { PreviewFile } from "./preview-file.ts";
import { readZipEntries, type ZipEntry } from "./zip-entries.ts";

/** More files are only counted. */
const maxShown = 200;

/** The files of a ZIP archive by name and size. */
export function ZipView({ file }: { file: PreviewFile }) {
  const [entries, setEntries] = useState<readonly ZipEntry[] | null>();
  useEffect(() => {
    const controller = new AbortController();
    const read = (start: number, end: number) => readBytes(file.url, start, end, controller.signal);
    readZipEntries(file.bytes, read).then(
      (found) => setEntries(found ?? null),
      () => {
        if (!controller.signal.aborted) setEntries(null);
      },
    );
    return () => controller.abort();
  }, [file.url, file.bytes]);
  if (entries === undefined) return <Skeleton className="h-40 w-full" />;
  if (entries === null) {
    return (
      <p className="text-sm text-muted-foreground">
        The names in the archive could not be read. Download it to view them.
      </p>
    );
  }
  return (
    <div className="grid gap-2">
      <div className="max-h-[60vh] overflow-auto rounded-lg border bg-background">
        <Table aria-label={`Files in ${file.filename}`}>
          <TableHeader>
            <TableRow>
              <TableHead>Name</TableHead>
              <TableHead className="text-right">Size</TableHead>
            </TableRow>
          </TableHeader>
          <TableBody>
            {entries.slice(0, maxShown).map(({ name, bytes }) => (
              <TableRow key={name}>
                <TableCell className="py-1.5 font-mono text-xs break-all">{name}</TableCell>
                <TableCell className="py-1.5 text-right text-xs whitespace-nowrap tabular-nums">
                  {formatBytes(bytes)}
                </TableCell>
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </div>
      <p className="text-xs text-muted-foreground">
        {entries.length === 1 ? "1 file" : `${entries.length} files`}
        {entries.length > maxShown && `, of which the first ${maxShown} are shown`}
      </p>
    </div>
  );
}

async function readBytes(
  url: string,
  start: number,
  end: number,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const response = await fetch(url, { signal, headers: { Range: `bytes=${start}-${end - 1}` } });
  if (!response.ok) throw new Error(`the file returned status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
