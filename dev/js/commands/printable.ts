// C0, DEL and C1, which a terminal may obey, and the marks that reorder text.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A text without characters that a terminal would obey. */
export function printable(text: string): string {
  return text.replace(CONTROL, (character) => (character === "\n" ? "\\n" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`));
}
