/** Storage keys of the cache: by segment, account and source, so that each can be removed as a whole. */

const root = "image-cache";

/** A segment of the cache. */
export interface SegmentFolder {
  readonly id: number;
  /** The name of its folder; empty if that is its number. */
  readonly folder: string;
}

export function segmentFolder({ id, folder }: SegmentFolder): string {
  return `${root}/${folder || id}`;
}

export function accountFolder(segment: SegmentFolder, accountId: string): string {
  return `${segmentFolder(segment)}/${accountId}`;
}

/** Which picture it is, by hashes. */
export interface PictureKey {
  readonly accountId: string;
  readonly source: string;
  readonly picture: string;
}

export function sourceFolder(segment: SegmentFolder, key: Omit<PictureKey, "picture">): string {
  return `${accountFolder(segment, key.accountId)}/${key.source}`;
}

/** A folder of its own, because storages remove folders only. */
export function pictureFolder(segment: SegmentFolder, key: PictureKey): string {
  return `${sourceFolder(segment, key)}/${key.picture}`;
}

export function pictureKey(segment: SegmentFolder, key: PictureKey): string {
  return `${pictureFolder(segment, key)}/file`;
}
