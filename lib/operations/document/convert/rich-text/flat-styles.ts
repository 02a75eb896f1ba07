/** The styles of a text that was made of HTML, Markdown or EPUB, and the document around its body. */

interface FlatParts {
  /** The escaped title. */
  readonly title: string;
  readonly language: string;
  readonly automatic: string;
  readonly body: string;
}

const namespaces = [
  ...["office", "style", "text", "table", "meta"].map((name) => [name, `${name}`]),
  ["draw", "drawing"],
  ["fo", "xsl-fo-compatible"],
  ["svg", "svg-compatible"],
]
  .map(([prefix, name]) => `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(" ");

const fonts = [
  ["Sans", "Carlito"],
  ["Mono", "Liberation Mono"],
]
  .map(([name, family]) => `<style:font-face style:name="${name}" svg:font-family="'${family}'"/>`)
  .join("");

/** Points of the six levels of headings. */
const headingSizes = [24, 18, 15, 13, 12, 11];

const size = (points: number) =>
  `fo:font-size="${points}pt" style:font-size-asian="${points}pt" style:font-size-complex="${points}pt"`;
const bold =
  'fo:font-weight="bold" style:font-weight-asian="bold" style:font-weight-complex="bold"';

function paragraphStyle(name: string, parent: string, paragraph: string, text = ""): string {
  const label = name.replaceAll("_20_", " ");
  return `<style:style style:name="${name}" style:display-name="${label}" style:family="paragraph"${parent && ` style:parent-style-name="${parent}"`}><style:paragraph-properties ${paragraph}/><style:text-properties ${text}/></style:style>`;
}

/** A style, and the same from right to left. */
function bothDirections(name: string, parent: string, paragraph: string, text = ""): string {
  const mirrored = 'style:writing-mode="rl-tb" fo:text-align="start"';
  return (
    paragraphStyle(name, parent, paragraph, text) + paragraphStyle(`${name}_20_RTL`, name, mirrored)
  );
}

const headings = headingSizes.map((points, index) =>
  bothDirections(
    `Heading_20_${index + 1}`,
    "Standard",
    `fo:margin-top="${index === 0 ? 0.4 : 0.6}cm" fo:margin-bottom="0.25cm" fo:keep-with-next="always"`,
    `${size(points)} ${bold}`,
  ),
);

const paragraphs = [
  bothDirections("Text_20_body", "Standard", 'fo:margin-bottom="0.25cm" fo:line-height="120%"'),
  bothDirections("Figure", "Standard", 'fo:margin-top="0.1cm" fo:margin-bottom="0.25cm"'),
  bothDirections("List_20_Text", "Standard", 'fo:margin-bottom="0.1cm" fo:line-height="120%"'),
  bothDirections("Table_20_Contents", "Standard", 'fo:margin-bottom="0cm"'),
  bothDirections("Table_20_Heading", "Table_20_Contents", 'fo:keep-with-next="auto"', bold),
  bothDirections(
    "Quotations",
    "Text_20_body",
    'fo:margin-left="0.5cm" fo:padding-left="0.4cm" fo:border-left="2pt solid #c8ccd0"',
    'fo:color="#57606a"',
  ),
  paragraphStyle(
    "Preformatted_20_Text",
    "Standard",
    'fo:background-color="#f6f8fa" fo:margin-bottom="0cm"',
    `style:font-name="Mono" style:font-name-asian="Mono" style:font-name-complex="Mono" ${size(9.5)}`,
  ),
  paragraphStyle(
    "Horizontal_20_Line",
    "Standard",
    'fo:border-bottom="0.75pt solid #c8ccd0" fo:margin-bottom="0.5cm"',
  ),
  paragraphStyle("Gap", "Standard", 'fo:margin-bottom="0.1cm"', size(6)),
];

const levels = Array.from({ length: 10 }, (_, index) => index + 1);
const indent = (level: number) =>
  `<style:list-level-properties text:list-level-position-and-space-mode="label-alignment"><style:list-level-label-alignment text:label-followed-by="listtab" fo:text-indent="-0.6cm" fo:margin-left="${(0.7 * level).toFixed(1)}cm"/></style:list-level-properties>`;
const lists =
  `<text:list-style style:name="Bullets">${levels.map((level) => `<text:list-level-style-bullet text:level="${level}" text:bullet-char="${["•", "◦", "▪"][(level - 1) % 3]}">${indent(level)}</text:list-level-style-bullet>`).join("")}</text:list-style>` +
  `<text:list-style style:name="Numbers">${levels.map((level) => `<text:list-level-style-number text:level="${level}" style:num-format="1" style:num-suffix=".">${indent(level)}</text:list-level-style-number>`).join("")}</text:list-style>`;

const cell = (name: string, background: string) =>
  `<style:style style:name="${name}" style:family="table-cell"><style:table-cell-properties fo:padding="0.15cm" fo:border="0.5pt solid #c8ccd0"${background}/></style:style>`;
const tables =
  `<style:style style:name="Table" style:family="table"><style:table-properties style:width="16cm" table:align="margins" table:border-model="collapsing"/></style:style>` +
  cell("Cell", "") +
  cell("HeadCell", ' fo:background-color="#f0f2f4"') +
  `<style:style style:name="Picture" style:family="graphic"><style:graphic-properties style:vertical-pos="bottom" style:vertical-rel="text"/></style:style>`;

export function flatStyles({ title, language, automatic, body }: FlatParts): string {
  const [code = "", country = ""] = language.split("-");
  const spoken = code
    ? ` fo:language="${code.toLowerCase()}" fo:country="${/^[A-Za-z]{2}$/.test(country) ? country.toUpperCase() : "none"}"`
    : "";
  const standard = `<style:default-style style:family="paragraph"><style:paragraph-properties style:writing-mode="page"/><style:text-properties style:font-name="Sans"${spoken} ${size(11)}/></style:default-style><style:style style:name="Standard" style:family="paragraph" style:class="text"/>`;
  const page = `<style:page-layout style:name="Page"><style:page-layout-properties fo:page-width="21cm" fo:page-height="29.7cm" fo:margin="2.5cm"/></style:page-layout>`;
  return [
    `<?xml version="1.0" encoding="UTF-8"?><office:document office:version="1.3" ${namespaces}`,
    ` xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xlink="http://www.w3.org/1999/xlink" office:mimetype="application/vnd.oasis.opendocument.text">`,
    `<office:meta><dc:title>${title}</dc:title></office:meta><office:font-face-decls>${fonts}</office:font-face-decls>`,
    `<office:styles>${standard}${headings.join("")}${paragraphs.join("")}${lists}</office:styles>`,
    `<office:automatic-styles>${page}${tables}${automatic}</office:automatic-styles>`,
    `<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="Page"/></office:master-styles>`,
    `<office:body><office:text>${body}</office:text></office:body></office:document>`,
  ].join("");
}
