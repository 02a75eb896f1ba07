/** A file of the site to try operations on. */
export interface TrySample {
  readonly name: string;
  readonly url: string;
  /** What it is. */
  readonly label: string;
  /** A picture of it. */
  readonly picture: string;
  /** The same picture, small. */
  readonly tile: string;
}

const input = (name: string) => `/samples/inputs/${name}`;
const output = (name: string) => `/samples/outputs/${name}`;
const tile = (name: string) => `/samples/tiles/${name}.avif`;

export const trySamples: readonly TrySample[] = [
  {
    name: "photo.jpg",
    label: "Photo",
    url: input("photo.jpg"),
    picture: input("photo.preview.avif"),
    tile: tile("photo"),
  },
  {
    name: "video.mp4",
    label: "Video",
    url: input("video.mp4"),
    picture: input("video.poster.avif"),
    tile: tile("video"),
  },
  {
    name: "podcast.mp3",
    label: "Podcast",
    url: input("podcast.mp3"),
    picture: output("audio-waveform.png"),
    tile: tile("podcast"),
  },
  {
    name: "contract.pdf",
    label: "PDF",
    url: input("contract.pdf"),
    picture: input("contract.poster.avif"),
    tile: tile("contract"),
  },
  {
    name: "report.docx",
    label: "Word file",
    url: input("report.docx"),
    picture: output("document-thumbnail.preview.avif"),
    tile: tile("report"),
  },
  {
    name: "invoice.html",
    label: "Web page",
    url: input("invoice.html"),
    picture: output("document-html-to-image.preview.avif"),
    tile: tile("invoice"),
  },
  {
    name: "receipt.jpg",
    label: "Receipt",
    url: input("receipt.jpg"),
    picture: input("receipt.preview.avif"),
    tile: tile("receipt"),
  },
];
