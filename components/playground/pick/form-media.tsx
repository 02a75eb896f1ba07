"use client";

import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import type { Source } from "../form/source.ts";

/** The main input of the form, as far as the browser can show it. */
export interface FormMedia {
  readonly kind: "image" | "video" | "audio";
  /** An object URL. */
  readonly url: string;
  /** The player, while a time can be picked on it. */
  readonly player: RefObject<HTMLMediaElement | null>;
}

const MediaContext = createContext<FormMedia | undefined>(undefined);

/** The main input, if it is a file of the browser: pages load nothing from other hosts. */
export function useFormMedia(): FormMedia | undefined {
  return useContext(MediaContext);
}

interface FormMediaProviderProps {
  readonly source: Source | undefined;
  readonly children: ReactNode;
}

/** Lets parameters be picked on the main input: on its picture, or on its player. */
export function FormMediaProvider({ source, children }: FormMediaProviderProps) {
  const file = source?.kind === "file" ? source.file : undefined;
  const url = useObjectUrl(file);
  const player = useRef<HTMLMediaElement>(null);
  const kind = kindOf(file);
  const media = useMemo(() => (kind && url ? { kind, url, player } : undefined), [kind, url]);
  return <MediaContext value={media}>{children}</MediaContext>;
}

function kindOf(file: File | undefined): FormMedia["kind"] | undefined {
  const [kind] = file?.type.split("/") ?? [];
  return kind === "image" || kind === "video" || kind === "audio" ? kind : undefined;
}

function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) return;
    const objectUrl = URL.createObjectURL(file);
    setUrl(objectUrl);
    return () => {
      URL.revokeObjectURL(objectUrl);
      setUrl(undefined);
    };
  }, [file]);
  return url;
}
