/** Builds nested lists from items that each say their level, as office formats do. */
export class NestedLists {
  #html = "";
  readonly #open: { tag: string; key: string }[] = [];
  /** The number of the last item of each list and level, which goes on after other text. */
  readonly #numbers = new Map<string, number>();

  /** Adds an item. `key` identifies its list, `level` counts from 0. */
  add(content: string, key: string, level: number, isOrdered: boolean, start = 1): void {
    const depth = Math.min(level, this.#open.length, 20);
    this.#closeTo(depth + 1);
    const tag = isOrdered ? "ol" : "ul";
    const last = this.#open[depth];
    const counter = `${key} ${level}`;
    const number = (this.#numbers.get(counter) ?? start - 1) + 1;
    this.#numbers.set(counter, number);
    for (const other of this.#numbers.keys()) {
      const [list, deeper] = other.split(" ");
      if (list === key && Number(deeper) > level) this.#numbers.delete(other);
    }
    if (last?.tag === tag && last.key === key) {
      this.#html += "</li>";
    } else {
      this.#closeTo(depth);
      this.#html += isOrdered && number > 1 ? `<ol start="${number}">` : `<${tag}>`;
      this.#open.push({ tag, key });
    }
    this.#html += `<li>${content}`;
  }

  get isEmpty(): boolean {
    return this.#html === "";
  }

  /** The lists so far; begins again. */
  take(): string {
    this.#closeTo(0);
    const html = this.#html;
    this.#html = "";
    return html;
  }

  #closeTo(depth: number): void {
    while (this.#open.length > depth) this.#html += `</li></${this.#open.pop()?.tag}>`;
  }
}
