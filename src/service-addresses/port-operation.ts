import { alreadyAllocated } from './free-port.ts';
import type { PortBook } from './port-book.ts';

/** A dry run shows these numbers, which are outside the default range, for ports that it does not allocate. */
const dryRunPort = 32_769;

/** The node ports that one write allocates and releases. A dry run allocates nothing. */
export class PortOperation {
  readonly #ports: PortBook;
  readonly #uid: string;
  readonly #dryRun: boolean;
  readonly #taken: number[] = [];
  readonly #released: number[] = [];

  constructor(ports: PortBook, { uid, dryRun }: { readonly uid: string; readonly dryRun: boolean }) {
    this.#ports = ports;
    this.#uid = uid;
    this.#dryRun = dryRun;
  }

  /** Returns why the port cannot be taken, or undefined on success. */
  async take(port: number): Promise<string | undefined> {
    const problem = await (this.#dryRun ? this.#checkFree(port) : this.#ports.take(port, this.#uid));
    if (problem === undefined) this.#taken.push(port);
    return problem;
  }

  async #checkFree(port: number): Promise<string | undefined> {
    const isTaken = (await this.#ports.has(port)) || this.#taken.includes(port);
    return isTaken ? alreadyAllocated : undefined;
  }

  /** Returns undefined when no port is free. */
  async takeAny(): Promise<number | undefined> {
    const port = this.#dryRun ? Math.max(dryRunPort - 1, ...this.#taken) + 1 : await this.#ports.takeAny(this.#uid);
    if (port !== undefined) this.#taken.push(port);
    return port;
  }

  /** Releases the port if the write succeeds. */
  releaseLater(port: number): void {
    this.#released.push(port);
  }

  /** `isUsed`: ports that the service has although this write has failed. */
  async finish({ committed }: { readonly committed: boolean }, isUsed: (port: number) => boolean): Promise<void> {
    if (this.#dryRun) return;
    for (const port of committed ? this.#released : this.#taken) {
      if (committed || !isUsed(port)) await this.#ports.release(port, this.#uid);
    }
  }
}
