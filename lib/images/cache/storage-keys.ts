/** Storage keys of the cache: by segment, account and source, so that each can be removed as a whole. */

const root = "image-cache";

export function segmentFolder(segment: number): string {
  return `${root}/${segment}`;
}

export function accountFolder(segment: number, accountId: string): string {
  return `${segmentFolder(segment)}/${accountId}`;
}

/** Which picture it is, by hashes. */
export interface PictureKey {
  readonly accountId: string;
  readonly source: string;
  readonly picture: string;
}

export function sourceFolder(segment: number, key: Omit<PictureKey, "picture">): string {
  return `${accountFolder(segment, key.accountId)}/${key.source}`;
}

/** A folder of its own, because storages remove folders only. */
export function pictureFolder(segment: number, key: PictureKey): string {
  return `${sourceFolder(segment, key)}/${key.picture}`;
}

export function pictureKey(segment: number, key: PictureKey): string {
  return `${pictureFolder(segment, key)}/file`;
}
