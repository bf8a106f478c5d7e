import { maxRememberedStreams } from './limits.ts';

/** The latest closed streams, which tell frames that come late from frames that are wrong. */
export class ClosedStreams {
  readonly #ids = new Int32Array(maxRememberedStreams);
  readonly #reset = new Uint8Array(maxRememberedStreams);
  #next = 0;

  /** `wasReset`: by this server. Its client could not know yet. */
  add(id: number, { wasReset }: { readonly wasReset: boolean }): void {
    const at = this.#next;
    this.#ids[at] = id;
    this.#reset[at] = wasReset ? 1 : 0;
    this.#next = (at + 1) % maxRememberedStreams;
  }

  /** Undefined for a stream that was closed long ago, or never was. */
  find(id: number): { readonly wasReset: boolean } | undefined {
    const at = this.#ids.indexOf(id);
    return at === -1 ? undefined : { wasReset: this.#reset[at] === 1 };
  }
}
