import { DOMParser, XMLSerializer, type Element as XmlElement } from "@xmldom/xmldom";

/** The title, author, subject and keywords in XMP (ISO 16684-1), which repeats those of a PDF. */

export interface PdfProperties {
  /** An empty text removes the property; an undefined one leaves it as it is. */
  readonly title?: string | undefined;
  readonly author?: string | undefined;
  readonly subject?: string | undefined;
  readonly keywords?: string | undefined;
}

const namespaces = {
  x: "adobe:ns:meta/",
  rdf: "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
  dc: "http://purl.org/dc/elements/1.1/",
  pdf: "http://ns.adobe.com/pdf/1.3/",
  xmp: "http://ns.adobe.com/xap/1.0/",
} as const;

const emptyPacket = `<x:xmpmeta xmlns:x="${namespaces.x}"><rdf:RDF xmlns:rdf="${namespaces.rdf}"><rdf:Description rdf:about=""/></rdf:RDF></x:xmpmeta>`;

/** Larger packets, which no program writes, are replaced. */
const maxLength = 4_000_000;

/**
 * Returns `packet` with other properties and the date of the change, and everything else unchanged.
 * A packet that is missing or not valid is replaced by a new one.
 */
export function updateXmp(
  packet: string | undefined,
  properties: PdfProperties,
  changedAt: Date,
): string {
  const root = parse(packet) ?? parse(emptyPacket);
  if (!root) throw new Error("the empty packet is not valid");
  const { title, author, subject, keywords } = properties;
  const edit = new XmpEditor(root);
  edit.setText("dc:title", "Alt", title);
  edit.setText("dc:description", "Alt", subject);
  edit.setText("dc:creator", "Seq", author);
  edit.setText("dc:subject", "Bag", ...splitKeywords(keywords));
  edit.setText("pdf:Keywords", undefined, keywords);
  const now = `${changedAt.toISOString().slice(0, 19)}Z`;
  edit.setText("xmp:ModifyDate", undefined, now);
  edit.setText("xmp:MetadataDate", undefined, now);
  const xml = new XMLSerializer().serializeToString(root);
  // The padding lets programs change the packet in place.
  const padding = `${" ".repeat(99)}\n`.repeat(20);
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>\n${xml}\n${padding}<?xpacket end="w"?>`;
}

/** Splits keywords: `[undefined]` if they are not changed, and no item if they are removed. */
function splitKeywords(keywords: string | undefined): (string | undefined)[] {
  if (keywords === undefined) return [undefined];
  const words = keywords.split(/[,;]/).map((word) => word.trim());
  return words.filter((word) => word !== "");
}

/** The `x:xmpmeta` or `rdf:RDF` element. */
function parse(packet: string | undefined): XmlElement | undefined {
  if (!packet || packet.length > maxLength || /<!DOCTYPE|<!ENTITY/i.test(packet)) return undefined;
  try {
    const onError = () => {
      throw new Error("the packet is not valid XML");
    };
    const text = packet.replace(/<\?xpacket[^<>]*>/g, "").trim();
    const document = new DOMParser({ onError }).parseFromString(text, "text/xml");
    const root = document.documentElement;
    const hasData = root?.getElementsByTagNameNS(namespaces.rdf, "Description")[0];
    return root && hasData ? root : undefined;
  } catch {
    return undefined; // replaced, because readers ignore it, too
  }
}

type PropertyName = `${"dc" | "pdf" | "xmp"}:${string}`;

class XmpEditor {
  readonly #descriptions: XmlElement[];

  constructor(root: XmlElement) {
    this.#descriptions = [...root.getElementsByTagNameNS(namespaces.rdf, "Description")].filter(
      (element) => element.parentNode === root || element.parentNode?.parentNode === root,
    );
  }

  /** A property with one value, or with the values of a list. A single undefined one changes nothing. */
  setText(
    name: PropertyName,
    list: "Alt" | "Seq" | "Bag" | undefined,
    ...values: readonly (string | undefined)[]
  ): void {
    const texts = values.filter((value): value is string => value !== undefined);
    if (values.length > 0 && texts.length === 0) return;
    const [prefix, local] = name.split(":") as [keyof typeof namespaces, string]; // by its type
    for (const description of this.#descriptions) {
      const attribute = description.getAttributeNodeNS(namespaces[prefix], local);
      if (attribute) description.removeAttributeNode(attribute);
      for (const child of [...description.childNodes]) {
        const isProperty = child.namespaceURI === namespaces[prefix] && child.localName === local;
        if (isProperty) description.removeChild(child);
      }
    }
    const [description] = this.#descriptions;
    const document = description?.ownerDocument;
    const filled = texts.filter((text) => text !== "");
    if (!description || !document || filled.length === 0) return;
    const property = document.createElementNS(namespaces[prefix], name);
    description.appendChild(property);
    if (!list) {
      property.appendChild(document.createTextNode(filled.join(", ")));
      return;
    }
    const container = document.createElementNS(namespaces.rdf, `rdf:${list}`);
    property.appendChild(container);
    for (const text of filled) {
      const item = document.createElementNS(namespaces.rdf, "rdf:li");
      if (list === "Alt") item.setAttribute("xml:lang", "x-default");
      item.appendChild(document.createTextNode(text));
      container.appendChild(item);
    }
  }
}
