/**
 * The programs and files that the service needs from the system: how to detect them, and which packages
 * contain them.
 *
 * @typedef {{ program: string[] } | { file: string[] } | { font: string }} Probe
 *   `program` and `file`: one of them must exist; `font`: a fontconfig pattern that must match
 * @typedef {{ name: string, probes: Probe[], debian: string[], brew: string[], only?: "documents" | "av", optional?: boolean }} Engine
 *   `only`: the value of `MEDIA_ENGINES`, besides `all`, that needs it; each value needs it if absent;
 *   `optional`: the service runs without it
 */

/** @type {Engine[]} */
const everywhere = [
  {
    only: "av",
    name: "ffmpeg",
    probes: [{ program: ["ffmpeg"] }, { program: ["ffprobe"] }],
    debian: ["ffmpeg"],
    brew: ["ffmpeg"],
  },
  {
    only: "documents",
    name: "Chromium",
    probes: [
      {
        program: ["chromium-headless-shell", "chromium", "google-chrome", "google-chrome-stable"],
      },
    ],
    debian: ["chromium-headless-shell", "chromium"],
    brew: ["chromium"],
  },
  {
    name: "exiftool",
    probes: [{ program: ["exiftool"] }],
    debian: ["libimage-exiftool-perl"],
    brew: ["exiftool"],
  },
  {
    name: "libvips",
    probes: [{ program: ["vips"] }, { program: ["vipsheader"] }],
    debian: ["libvips-tools"],
    brew: ["vips"],
  },
  {
    name: "LibRaw",
    probes: [{ program: ["dcraw_emu"] }],
    debian: ["libraw-bin"],
    brew: ["libraw"],
  },
  { name: "qpdf", probes: [{ program: ["qpdf"] }], debian: ["qpdf"], brew: ["qpdf"] },
  {
    name: "poppler",
    probes: [{ program: ["pdftoppm"] }, { program: ["pdftotext"] }, { program: ["pdfinfo"] }],
    debian: ["poppler-utils"],
    brew: ["poppler"],
  },
  {
    only: "documents",
    name: "tesseract",
    probes: [{ program: ["tesseract"] }],
    debian: ["tesseract-ocr"],
    brew: ["tesseract", "tesseract-lang"],
  },
  {
    only: "documents",
    name: "OCRmyPDF",
    probes: [{ program: ["ocrmypdf"] }],
    debian: ["ocrmypdf"],
    brew: ["ocrmypdf"],
  },
  {
    only: "documents",
    name: "Ghostscript",
    probes: [{ program: ["gs"] }],
    debian: ["ghostscript"],
    brew: ["ghostscript"],
  },
  {
    name: "jpegtran",
    probes: [{ program: ["jpegtran"] }],
    debian: ["libjpeg-turbo-progs"],
    brew: ["jpeg-turbo"],
  },
  {
    name: "cjxl",
    probes: [{ program: ["cjxl"] }],
    debian: ["libjxl-tools"],
    brew: ["jpeg-xl"],
  },
  { name: "7-Zip", probes: [{ program: ["7zz"] }], debian: ["7zip"], brew: ["sevenzip"] },
  {
    only: "documents",
    name: "LibreOffice",
    probes: [{ program: ["soffice", "libreoffice"] }],
    debian: [],
    brew: ["libreoffice"],
  },
];

/** Codes of the languages that every installation recognizes. */
const languages = [
  "eng",
  "deu",
  "fra",
  "spa",
  "ita",
  "por",
  "nld",
  "pol",
  "rus",
  "ukr",
  "tur",
  "ara",
  "chi-sim",
  "jpn",
  "kor",
  "hin",
];

/** @param {string} language */
const languageData = (language) => ({
  file: ["5", "4.00"].map(
    (version) =>
      `/usr/share/tesseract-ocr/${version}/tessdata/${language.replace("-", "_")}.traineddata`,
  ),
});

/** Codes that the operator adds, as `lib/env.ts` reads them. It reports those that are not valid. */
const moreLanguages = (process.env.OCR_LANGUAGES ?? "")
  .toLowerCase()
  .replaceAll("_", "-")
  .split(/[\s,+]+/)
  .filter((code) => /^[a-z]{3}(-[a-z]{3,5}){0,2}$/.test(code) && !languages.includes(code));

/** @param {string} file */
const office = (file) => ({
  file: [`/usr/lib/libreoffice/program/${file}`, `/usr/lib64/libreoffice/program/${file}`],
});

/** @param {string} name */
const pythonModule = (name) => ({ file: [`/usr/lib/python3/dist-packages/${name}/__init__.py`] });

/** In addition to one font per script: the font families that office files and pages use most often. */
const documentFonts = ["fonts-liberation", "fonts-crosextra-carlito", "fonts-crosextra-caladea"];

/** @type {Engine[]} */
const linux = [
  {
    only: "documents",
    name: "LibreOffice",
    probes: [
      office("libswlo.so"),
      office("libsclo.so"),
      office("libsdlo.so"),
      office("libsmlo.so"),
      office("libdbaselo.so"),
    ],
    // Math is for the equations of texts and slides, the drivers for dBase tables.
    debian: [
      ...["writer", "calc", "impress", "draw", "math"].map((app) => `libreoffice-${app}-nogui`),
      "libreoffice-base-drivers",
    ],
    brew: [],
  },
  {
    only: "documents",
    name: "LibreOffice's Python bridge",
    probes: [
      { program: ["python3"] },
      { file: ["/usr/lib/python3/dist-packages/uno.py", "/usr/lib/libreoffice/program/uno.py"] },
    ],
    debian: ["python3-uno"],
    brew: [],
  },
  {
    name: "Archive::Zip (exiftool's office files)",
    probes: [{ file: ["/usr/share/perl5/Archive/Zip.pm"] }],
    debian: ["libarchive-zip-perl"],
    brew: [],
  },
  {
    only: "documents",
    name: "tesseract's languages",
    probes: languages.map(languageData),
    debian: languages.map((language) => `tesseract-ocr-${language}`),
    brew: [],
  },
  ...moreLanguages.map((language) => ({
    only: "documents",
    name: `tesseract's language ${language} (OCR_LANGUAGES)`,
    probes: [languageData(language)],
    debian: [`tesseract-ocr-${language}`],
    brew: [],
  })),
  {
    name: "bubblewrap",
    probes: [{ program: ["bwrap"] }],
    debian: ["bubblewrap"],
    brew: [],
  },
  {
    name: "pikepdf",
    probes: [{ program: ["python3"] }, pythonModule("pikepdf")],
    debian: ["python3-pikepdf"],
    brew: [],
  },
  {
    name: "prlimit and setpriv",
    probes: [{ program: ["prlimit"] }, { program: ["setpriv"] }, { program: ["flock"] }],
    debian: ["util-linux"],
    brew: [],
  },
  {
    name: "fonts",
    probes: [":lang=en", ":lang=ar", ":lang=he", ":lang=hi"].map((font) => ({ font })),
    debian: ["fontconfig", "fonts-noto-core", ...documentFonts],
    brew: [],
  },
  {
    name: "CJK fonts",
    probes: [":lang=zh-cn", ":lang=ja", ":lang=ko"].map((font) => ({ font })),
    debian: ["fontconfig", "fonts-noto-cjk"],
    brew: [],
  },
  {
    name: "color emoji",
    probes: [{ font: ":family=Noto Color Emoji" }],
    debian: ["fontconfig", "fonts-noto-color-emoji"],
    brew: [],
  },
  {
    // LibreOffice cannot draw the color font.
    only: "documents",
    name: "outline emoji",
    probes: [{ font: ":family=Symbola" }],
    debian: ["fontconfig", "fonts-symbola"],
    brew: [],
  },
];

/** @param {Engine[]} table */
const onLinux = (table) => (process.platform === "linux" ? table : []);

/** What compiles the programs with which engines start faster; see native.mjs. */
export const compiler = onLinux([
  {
    name: "a C compiler",
    probes: [{ program: ["gcc"] }, { file: ["/usr/include/stdio.h"] }],
    debian: ["gcc", "libc6-dev"],
    brew: [],
    optional: true,
  },
]);

/** What all tests need in addition. The service runs without it. */
export const testTools = onLinux([
  {
    name: "ImageMagick, which resized images are compared with",
    probes: [{ file: ["/usr/bin/convert"] }],
    debian: ["imagemagick"],
    brew: [],
  },
  {
    name: "libarchive, which unpacks archives that 7-Zip wrote",
    probes: [{ program: ["bsdtar"] }],
    debian: ["libarchive-tools"],
    brew: [],
  },
  {
    name: "PgBouncer, behind which jobs are run",
    probes: [{ file: ["/usr/sbin/pgbouncer"] }],
    debian: ["pgbouncer"],
    brew: [],
  },
  {
    name: "rclone, which serves files as users' stores do",
    probes: [{ program: ["rclone"] }],
    debian: ["rclone"],
    brew: [],
  },
  {
    name: "OpenSSH's server, which serves files by SFTP",
    probes: [{ file: ["/usr/sbin/sshd"] }, { file: ["/usr/lib/openssh/sftp-server"] }],
    debian: ["openssh-server", "openssh-sftp-server"],
    brew: [],
  },
  {
    name: "Python's environments, in which further servers are installed",
    probes: [
      { file: ["/usr/bin/python3"] },
      {
        file: ["3.11", "3.12", "3.13"].map((one) => `/usr/lib/python${one}/ensurepip/__init__.py`),
      },
    ],
    debian: ["python3", "python3-venv"],
    brew: [],
  },
  {
    name: "unzip, which reads the parts of documents",
    probes: [{ program: ["unzip"] }],
    debian: ["unzip"],
    brew: [],
  },
]);

/** What the tests of the packages need in addition. */
export const packageTools = onLinux([
  {
    name: "the tools of the Python package",
    probes: [
      { file: ["/usr/bin/python3"] },
      ...["httpx", "pytest", "hatchling"].map(pythonModule),
      {
        file: ["3.11", "3.12", "3.13"].map((one) => `/usr/lib/python${one}/ensurepip/__init__.py`),
      },
    ],
    debian: ["python3", "python3-httpx", "python3-pytest", "python3-hatchling", "python3-venv"],
    brew: [],
  },
  {
    name: "the shells in which the command line completes",
    probes: [{ program: ["zsh"] }, { program: ["fish"] }],
    debian: ["zsh", "fish"],
    brew: [],
  },
]);

/**
 * What a program of `npm run soak` needs in addition, by the name of the program. Nothing else uses it.
 *
 * @type {Readonly<Record<string, Engine[]>>}
 */
export const soakTools = {
  images: onLinux([
    {
      name: "buildah, which builds the images",
      probes: [{ program: ["buildah"] }],
      debian: ["buildah"],
      brew: [],
    },
    {
      name: "mmdebstrap, which makes their base",
      probes: [{ program: ["mmdebstrap"] }],
      debian: ["mmdebstrap"],
      brew: [],
    },
  ]),
  helm: [
    {
      name: "Go, which builds Helm",
      probes: [{ program: ["go"] }],
      debian: ["golang-go"],
      brew: ["go"],
    },
  ],
};

/** macOS has its own fonts and no bubblewrap. */
const table = process.platform === "linux" ? [...everywhere, ...linux] : everywhere;

/**
 * What a media runner with this value of `MEDIA_ENGINES` needs of this machine.
 *
 * @param {string} group
 */
export function enginesOf(group) {
  return table.filter(({ only }) => group === "all" || only === undefined || only === group);
}

/** The requirements of this machine. `lib/env.ts` reports a value that is not valid. */
export const engines = enginesOf(process.env.MEDIA_ENGINES || "all");
