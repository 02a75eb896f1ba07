import { PDFDict, PDFName, type PDFObject, PDFStream } from "@cantoo/pdf-lib";
import { key } from "#lib/formats/pdf/forms/collect-fields.ts";
import type { Corners } from "#lib/formats/pdf/structure/corners.ts";
import {
  identity,
  isInside,
  type Matrix,
  multiply,
  overlaps,
  transformBox,
} from "#lib/formats/pdf/structure/matrix.ts";
import { type GlyphWidths, readGlyphWidths } from "./glyph-widths.ts";
import { MarkedContent } from "./marked-content.ts";
import { lastString, matrixOf, numbersOf, toMatrix } from "./operands.ts";
import { PathTracker } from "./path-tracker.ts";
import { initialState, removeGlyphs, type State } from "./remove-glyphs.ts";
import { type Rewriter, UncertainContent } from "./rewriter.ts";
import { type Operand, type Operation, tokenize } from "./tokenize.ts";

const maxDepth = 12;
const maxOperations = 2_000_000;

const painting = new Set(["S", "s", "f", "F", "f*", "B", "B*", "b", "b*"]);

/** What a content stream belongs to. */
export interface ContentScope {
  /** The page or form XObject. */
  readonly owner: PDFObject;
  /** They change if an XObject or a property list is replaced. */
  readonly resources: PDFDict;
  /** The state in which the content starts; for a form, that of `Do` (ISO 32000-1, 8.10.1). */
  readonly state?: State;
  /** The number of forms around the content. */
  readonly depth?: number;
}

/** Removes glyphs, parts of images and drawings from one content stream. */
export class ContentRewriter {
  readonly #rewriter: Rewriter;
  readonly #owner: PDFObject;
  readonly #resources: PDFDict;
  readonly #depth: number;
  #state: State;
  readonly #stack: State[] = [];
  #textMatrix: Matrix = identity;
  #lineMatrix: Matrix = identity;
  readonly #path = new PathTracker();
  readonly #marked: MarkedContent;
  #changed = false;
  #loses = false;
  readonly #fonts = new Map<string, GlyphWidths | undefined>();

  constructor(rewriter: Rewriter, { owner, resources, state, depth }: ContentScope) {
    this.#rewriter = rewriter;
    this.#owner = owner;
    this.#resources = resources;
    this.#state = state ?? initialState;
    this.#depth = depth ?? 0;
    this.#marked = new MarkedContent(rewriter, resources);
  }

  /** The new content; undefined if nothing is removed. */
  async rewrite(content: string): Promise<string | undefined> {
    const parts: string[] = [];
    let count = 0;
    for (const operation of tokenize(content)) {
      if (++count > maxOperations) throw new UncertainContent("too many operations");
      parts.push(await this.#apply(operation));
    }
    if (!this.#changed) return undefined;
    return `${parts.join("\n")}${"\nQ".repeat(this.#stack.length)}`;
  }

  async #apply(operation: Operation): Promise<string> {
    const { operator, operands, raw } = operation;
    const state = this.#state;
    switch (operator) {
      case "q":
        this.#stack.push(state);
        if (this.#stack.length > 10_000) throw new UncertainContent("too many states");
        return raw;
      case "Q":
        this.#state = this.#stack.pop() ?? state;
        return raw;
      case "cm":
        this.#state = { ...state, matrix: multiply(toMatrix(operands), state.matrix) };
        return raw;
      case "Do":
        return this.#drawObject(operands.at(-1)?.text ?? "", raw);
      case "BI":
        if (this.#covers(transformBox(state.matrix, [0, 0, 1, 1]), this.#rewriter.areas)) {
          throw new UncertainContent("an inline image");
        }
        return raw;
      case "sh":
        if (this.#rewriter.regions.length > 0) throw new UncertainContent("a shading");
        return raw;
      case "BMC":
      case "BDC":
      case "DP":
      case "EMC":
        return this.#markContent(operation);
      case "gs":
        this.#applyParameters(operands[0]?.text ?? "");
        return raw;
    }
    if (painting.has(operator)) return this.#paint(raw);
    this.#path.apply(operator, operands, state.matrix);
    return this.#applyText(operator, operands) ?? raw;
  }

  #covers(box: Corners, areas: readonly Corners[]): boolean {
    return areas.some((area) => overlaps(area, box));
  }

  /** The text for readers that a page has for its glyphs could repeat what is removed. */
  #markContent(operation: Operation): string {
    const clean = this.#marked.apply(operation);
    if (clean === undefined) return operation.raw;
    this.#changed = true;
    return clean;
  }

  /** Notes that something is removed from the content that is marked here. */
  #lose(): void {
    this.#changed = true;
    this.#loses = true;
    for (const identifier of this.#marked.takeIdentifiers())
      this.#rewriter.recordLoss(this.#owner, identifier);
  }

  #applyParameters(name: string): void {
    const states = this.#resources.lookup(key("ExtGState"));
    const found = states instanceof PDFDict ? states.lookup(PDFName.of(name)) : undefined;
    if (found instanceof PDFDict && found.has(key("Font")))
      throw new UncertainContent("a font in a state");
  }

  async #drawObject(name: string, raw: string): Promise<string> {
    const objects = this.#resources.lookup(key("XObject"));
    const object = objects instanceof PDFDict ? objects.lookup(PDFName.of(name)) : undefined;
    if (!(object instanceof PDFStream)) return raw;
    const { matrix } = this.#state;
    if (object.dict.lookup(key("Subtype")) === key("Image")) {
      if (!this.#covers(transformBox(matrix, [0, 0, 1, 1]), this.#rewriter.areas)) return raw;
      this.#lose();
      return `/${await this.#rewriter.replaceImage(object, matrix, this.#resources)} Do`;
    }
    if (this.#depth >= maxDepth) throw new UncertainContent("forms within forms");
    const given = object.dict.lookup(key("Resources"));
    const own = (given instanceof PDFDict ? given : this.#resources).clone();
    const state = { ...this.#state, matrix: multiply(matrixOf(object.dict), matrix) };
    const scope = { owner: object, resources: own, state, depth: this.#depth + 1 };
    const inner = new ContentRewriter(this.#rewriter, scope);
    const content = await inner.rewrite(Buffer.from(object.getContents()).toString("latin1"));
    if (content === undefined) return raw;
    if (inner.#loses) this.#lose();
    this.#changed = true;
    return `/${this.#rewriter.replaceForm(object, content, this.#resources, own)} Do`;
  }

  /** Drops a drawing within a region; rules and backgrounds that are larger stay. */
  #paint(raw: string): string {
    const path = this.#path.end();
    if (!path || this.#rewriter.regions.length === 0) return raw;
    const { bounds } = path;
    const grown: Corners = [bounds[0] - 0.01, bounds[1] - 0.01, bounds[2] + 0.01, bounds[3] + 0.01];
    if (!this.#covers(grown, this.#rewriter.regions)) return raw;
    if (this.#rewriter.regions.some((region) => isInside(bounds, region))) {
      this.#lose();
      return "n";
    }
    if (!path.isSimple) throw new UncertainContent("a drawing");
    return raw;
  }

  /** The new operation; undefined if it stays as it is. */
  #applyText(operator: string, operands: readonly Operand[]): string | undefined {
    const state = this.#state;
    const values = numbersOf(operands);
    const [a = 0, b = 0] = values;
    const set = (change: Partial<State>) => {
      this.#state = { ...state, ...change };
    };
    switch (operator) {
      case "BT":
        this.#textMatrix = this.#lineMatrix = identity;
        return undefined;
      case "Tf":
        return void set({ font: this.#fontOf(operands[0]?.text ?? ""), size: values[1] ?? 0 });
      case "Tc":
        return void set({ charSpace: a });
      case "Tw":
        return void set({ wordSpace: a });
      case "Tz":
        return void set({ scale: a / 100 });
      case "TL":
        return void set({ leading: a });
      case "Ts":
        return void set({ rise: a });
      case "Td":
        return void this.#moveLine(a, b);
      case "TD":
        set({ leading: -b });
        return void this.#moveLine(a, b);
      case "Tm":
        this.#textMatrix = this.#lineMatrix = toMatrix(operands);
        return undefined;
      case "T*":
        return void this.#moveLine(0, -state.leading);
      case "Tj":
        return this.#show(lastString(operands), "");
      case "TJ":
        return this.#show(operands[0]?.items ?? [], "");
      case "'":
        this.#moveLine(0, -state.leading);
        return this.#show(lastString(operands), "T*\n");
      case '"':
        set({ wordSpace: a, charSpace: b });
        this.#moveLine(0, -state.leading);
        return this.#show(lastString(operands), `${a} Tw ${b} Tc T*\n`);
    }
    return undefined;
  }

  #moveLine(x: number, y: number): void {
    this.#lineMatrix = multiply([1, 0, 0, 1, x, y], this.#lineMatrix);
    this.#textMatrix = this.#lineMatrix;
  }

  #fontOf(name: string): GlyphWidths | undefined {
    if (!this.#fonts.has(name)) {
      const fonts = this.#resources.lookup(key("Font"));
      const font = fonts instanceof PDFDict ? fonts.lookup(PDFName.of(name)) : undefined;
      this.#fonts.set(name, font instanceof PDFDict ? readGlyphWidths(font) : undefined);
    }
    return this.#fonts.get(name);
  }

  /** Shows the texts without the glyphs that are removed. */
  #show(items: readonly Operand[], prefix: string): string | undefined {
    const { kept, textMatrix } = removeGlyphs(items, this.#state, this.#textMatrix, (glyph) =>
      this.#rewriter.removesGlyph(glyph),
    );
    this.#textMatrix = textMatrix;
    if (kept === undefined) return undefined;
    this.#lose();
    return `${prefix}${kept} TJ`;
  }
}
