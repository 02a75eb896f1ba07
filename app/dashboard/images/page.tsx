import type { Metadata } from "next";
import { PageHeader } from "#components/dashboard/page-header.tsx";
import { ImageKeyList } from "#components/images/image-key-list.tsx";
import { NewImageKeyButton } from "#components/images/new-image-key-button.tsx";
import { PictureStats } from "#components/images/picture-stats.tsx";
import { PurgeCard } from "#components/images/purge-card.tsx";
import { UrlBuilder } from "#components/images/url-builder.tsx";
import { requireAccount } from "#lib/auth/session.ts";
import { db } from "#lib/db/client.ts";
import { listImageDays } from "#lib/db/queries/images/image-days.ts";
import { listPairs } from "#lib/images/keys/pairs.ts";
import { createImageKey, deleteImageKey, purgeImages, signImageUrl } from "./actions.ts";

export const metadata: Metadata = { title: "Images by URL" };

const shownDays = 30;

export default async function ImagesPage() {
  const account = await requireAccount();
  const now = new Date();
  const since = new Date(now.getTime() - (shownDays - 1) * 86_400_000).toISOString().slice(0, 10);
  const [pairs, days] = await Promise.all([
    listPairs(account.id),
    listImageDays(db(), account.id, since),
  ]);
  const keys = pairs.map(({ id, unsigned, createdAt }) => ({
    id,
    unsigned,
    createdAt: createdAt.toISOString(),
  }));
  return (
    <>
      <PageHeader
        title="Images by URL"
        description="Put the size and format of a picture into its URL. imgproxy's and thumbor's URLs work."
        actions={<NewImageKeyButton createKey={createImageKey} />}
      />
      <div className="grid grid-cols-1 gap-6">
        <PictureStats days={days} shownDays={shownDays} />
        {keys.length > 0 && <UrlBuilder keyIds={keys.map(({ id }) => id)} signUrl={signImageUrl} />}
        <ImageKeyList keys={keys} now={now.toISOString()} deleteKey={deleteImageKey} />
        <PurgeCard purge={purgeImages} />
      </div>
    </>
  );
}
