import type { LocalService, Outbound } from "./service.js";

/** Pause before work that stays due, or that failed, is tried again. */
const STALLED_MS = 1_000;
const FAILED_MS = 5_000;
/** Longest wait: the machine's clock may be set, and a sleeping machine wakes late. */
const WAIT_MAX_MS = 10_000;

/** Runs due work of a service when it is due. */
export class DueWork {
  readonly #service: LocalService;
  readonly #send: (outbound: Outbound) => void;
  readonly #fail: (error: unknown) => void;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  #isWorking = false;

  /** `send` takes each webhook; `fail` is told of failures, after which the work is tried again. */
  constructor(service: LocalService, send: (outbound: Outbound) => void, fail: (error: unknown) => void) {
    this.#service = service;
    this.#send = send;
    this.#fail = fail;
    // Any change may have made something due.
    service.on("changed", () => this.wake());
  }

  /** Looks for due work soon, once for all changes of this turn. */
  wake(): void {
    if (!this.#isWorking) this.#wait(0);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #wait(milliseconds: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), milliseconds);
  }

  #look(): void {
    this.#isWorking = true;
    try {
      const due = this.#service.nextDue();
      const wait = due === undefined ? WAIT_MAX_MS : due - this.#service.now();
      if (wait > 0) return this.#wait(Math.min(wait, WAIT_MAX_MS));
      const outbound = this.#service.work();
      for (const webhook of outbound) this.#send(webhook);
      const next = this.#service.nextDue();
      const isStalled = outbound.length === 0 && next !== undefined && next <= (due as number);
      this.#wait(isStalled ? STALLED_MS : 0);
    } catch (error) {
      this.#fail(error);
      this.#wait(FAILED_MS);
    } finally {
      this.#isWorking = false;
    }
  }
}
