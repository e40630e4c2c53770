// C0, DEL and C1, which a terminal may obey, and the marks that reorder text.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Those of them that `JSON.stringify` leaves as they are. */
const CONTROL_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** A text without characters that a terminal would obey. */
export function printable(text: string): string {
  return text.replace(CONTROL, (character) => (character === "\n" ? "\\n" : escaped(character)));
}

/** A value as indented JSON without characters that a terminal would obey. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value ?? null, null, 2).replace(CONTROL_IN_JSON, escaped);
}
