/** Characters of equations as TeX. Characters without a name of their own stay: MathJax and KaTeX show them. */

/** Pairs of a character and its command. */
const commands = new Map(
  pairs(`
    α alpha β beta γ gamma δ delta ε varepsilon ϵ epsilon ζ zeta η eta θ theta ϑ vartheta ι iota κ kappa
    λ lambda μ mu µ mu ν nu ξ xi π pi ϖ varpi ρ rho ϱ varrho σ sigma ς varsigma τ tau υ upsilon φ varphi
    ϕ phi χ chi ψ psi ω omega Γ Gamma Δ Delta ∆ Delta Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Υ Upsilon Φ Phi
    Ψ Psi Ω Omega Ω Omega ± pm ∓ mp × times ÷ div · cdot ⋅ cdot ∗ ast ∘ circ • bullet ≤ le ≥ ge
    ≠ ne ≈ approx ≡ equiv ∼ sim ≃ simeq ≅ cong ∝ propto ≪ ll ≫ gg ∈ in ∉ notin ∋ ni ⊂ subset ⊃ supset
    ⊆ subseteq ⊇ supseteq ∪ cup ∖ setminus ∅ emptyset ∀ forall ∃ exists ∄ nexists ¬ neg ∧ land ∨ lor
    ⇒ Rightarrow ⇐ Leftarrow ⇔ Leftrightarrow → to ← gets ↔ leftrightarrow ↦ mapsto ⟶ longrightarrow
    ↑ uparrow ↓ downarrow ⟨ langle ⟩ rangle 〈 langle 〉 rangle ⌊ lfloor ⌋ rfloor ⌈ lceil ⌉ rceil ‖ Vert
    ∥ parallel ⊥ perp ∣ mid ∤ nmid ∂ partial ∇ nabla ∞ infty ∑ sum ∏ prod ∐ coprod ∫ int ∬ iint ∭ iiint
    ∮ oint ⋃ bigcup ⋂ bigcap ⋁ bigvee ⋀ bigwedge ⨁ bigoplus ⨂ bigotimes ℏ hbar ℓ ell ℜ Re ℑ Im ℵ aleph
    … ldots ⋯ cdots ⋮ vdots ⋱ ddots ∠ angle △ triangle ⊕ oplus ⊗ otimes ⊖ ominus ⊙ odot ⊢ vdash ⊨ models
    ∴ therefore ∵ because ⋆ star † dagger ‡ ddagger √ surd | vert < lt > gt \\ backslash
  `),
);

/** The start of a range of letters in Unicode's mathematical alphabets, and the command for its style. */
const alphabets: readonly (readonly [first: number, last: number, command: string])[] = [
  [0x1d400, 0x1d433, "mathbf"],
  [0x1d468, 0x1d49b, "boldsymbol"],
  [0x1d49c, 0x1d4cf, "mathcal"],
  [0x1d4d0, 0x1d503, "mathcal"],
  [0x1d504, 0x1d537, "mathfrak"],
  [0x1d538, 0x1d56b, "mathbb"],
  [0x1d56c, 0x1d59f, "mathfrak"],
  [0x1d5a0, 0x1d5d3, "mathsf"],
  [0x1d670, 0x1d6a3, "mathtt"],
  [0x1d7ce, 0x1d7d7, "mathbf"],
  [0x1d7d8, 0x1d7e1, "mathbb"],
];

/** Letters of the alphabets that Unicode has elsewhere. */
const letterlike: Readonly<Record<string, string>> = {
  ℂ: "mathbb",
  ℍ: "mathbb",
  ℕ: "mathbb",
  ℙ: "mathbb",
  ℚ: "mathbb",
  ℝ: "mathbb",
  ℤ: "mathbb",
  ℬ: "mathcal",
  ℰ: "mathcal",
  ℱ: "mathcal",
  ℋ: "mathcal",
  ℐ: "mathcal",
  ℒ: "mathcal",
  ℳ: "mathcal",
  ℛ: "mathcal",
  ℭ: "mathfrak",
  ℨ: "mathfrak",
};

const functions = new Set(
  "arccos arcsin arctan arg cos cosh cot coth csc deg det dim exp gcd hom inf ker lg lim liminf limsup ln log max min Pr sec sin sinh sup tan tanh".split(
    " ",
  ),
);

function pairs(text: string): [string, string][] {
  const words = text.trim().split(/\s+/);
  return words.flatMap((word, index): [string, string][] =>
    index % 2 === 0 ? [[word, words[index + 1] ?? ""]] : [],
  );
}

/** Text of an equation, outside `\text`. Superscripts, subscripts and fractions of Unicode become commands. */
export function toSymbols(text: string): string {
  return text
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁼⁽⁾ⁿⁱ]+|[₀-₎ₐₑₒₓₕₖₗₘₙₚₛₜ]+|[¼-¾⅐-⅞]|./gsu, (part) => {
      const plain = part.normalize("NFKC");
      if (/^[⁰¹²³⁴-⁾ⁿⁱ]/u.test(part)) return `^{${toMinus(plain)}}`;
      if (/^[₀-₎ₐ-ₜ]/u.test(part)) return `_{${toMinus(plain)}}`;
      const [numerator, denominator] = plain.split("⁄");
      return denominator ? `\\frac{${numerator}}{${denominator}}` : toSymbol(part);
    })
    .replace(/ {2,}/g, " ");
}

const toMinus = (text: string) => text.replaceAll("−", "-");

function toSymbol(character: string): string {
  if (/[\p{Mn}\u200b-\u200f\u2060-\u2064\ufeff]/u.test(character)) return "";
  if (/[#$%&_{}]/.test(character)) return `\\${character}`;
  if (character === "°") return "^{\\circ}";
  if (character === "^") return "\\hat{} ";
  if (character === "~") return "\\sim ";
  if (/[−‐‑]/.test(character)) return "-";
  if (/[′″‴]/.test(character)) return "'".repeat("′″‴".indexOf(character) + 1);
  if (/\s/.test(character)) return " ";
  const command = commands.get(character);
  if (command !== undefined) return `\\${command} `;
  const code = character.codePointAt(0) ?? 0;
  const alphabet =
    letterlike[character] ?? alphabets.find(([first, last]) => code >= first && code <= last)?.[2];
  const letter = character.normalize("NFKC");
  if (alphabet) return `\\${alphabet}{${letter}}`;
  // Italic letters and digits, which equations have anyway.
  return code >= 0x1d400 && code <= 0x1d7ff ? toSymbols(letter) : character;
}

/** A word of several letters that is not a product of variables, such as `sin`. */
export function toFunction(name: string): string {
  const word = name.trim();
  if (functions.has(word)) return `\\${word} `;
  return /^\p{L}[\p{L}\p{N}]+$/u.test(word) ? `\\operatorname{${word}} ` : toSymbols(word);
}

/** Words within an equation. */
export function toText(text: string): string {
  const plain = text.replace(/\s+/g, " ");
  if (plain.trim() === "") return " ";
  const escaped = plain
    .replace(/[#$%&_{}]/g, "\\$&")
    .replace(/(?<!\\)\\(?![#$%&_{}])/g, "\\textbackslash{}")
    .replaceAll("^", "\\^{}")
    .replaceAll("~", "\\~{}");
  return `\\text{${escaped.replaceAll(" ", textSpace)}}`;
}

/** A space of `\text`, until `tidy`. */
const textSpace = "\ue002";

/** A finished equation without the spaces that only separated its parts; empty if it shows nothing. */
export function tidy(tex: string): string {
  return tex
    .replace(/\s+/g, " ")
    .replace(/(?<=[{(]) | (?=[_^})\],])/g, "")
    .trim()
    .replaceAll(textSpace, " ");
}
