/** An answer, whole. */
export interface Answer {
  status: number;
  headers: Iterable<[string, string]>;
  bytes: Uint8Array<ArrayBuffer>;
}

/** A request, ready to be sent. */
export interface Question {
  method: string;
  headers: Record<string, string>;
  body: string | null;
}

/**
 * What a `fetch` carries whose service is in this process: the answer at once, without the runtime's requests, responses,
 * streams and timers, which cost more than the answer does. It gives nothing when the way is to be gone all the same.
 */
export const IN_PROCESS = Symbol.for("settlekit.in-process");

export interface InProcess {
  [IN_PROCESS]?: (url: string, question: Question) => Answer | undefined;
}
