import { alreadyAllocated } from './free-port.ts';
import type { PortAllocator } from './port-allocator.ts';

/** A dry run shows these numbers, which are outside the default range, for ports that it does not allocate. */
const dryRunPort = 32_769;

/** The node ports that one write allocates and releases. A dry run allocates nothing. */
export class PortOperation {
  readonly #ports: PortAllocator;
  readonly #uid: string;
  readonly #dryRun: boolean;
  readonly #allocated: number[] = [];
  readonly #released: number[] = [];

  constructor(ports: PortAllocator, { uid, dryRun }: { readonly uid: string; readonly dryRun: boolean }) {
    this.#ports = ports;
    this.#uid = uid;
    this.#dryRun = dryRun;
  }

  /** Returns why the port cannot be taken, or undefined on success. */
  async allocate(port: number): Promise<string | undefined> {
    const problem = await (this.#dryRun ? this.#checkFree(port) : this.#ports.allocate(port, this.#uid));
    if (problem === undefined) this.#allocated.push(port);
    return problem;
  }

  async #checkFree(port: number): Promise<string | undefined> {
    const isAllocated = (await this.#ports.has(port)) || this.#allocated.includes(port);
    return isAllocated ? alreadyAllocated : undefined;
  }

  /** Returns undefined when no port is free. */
  async allocateNext(): Promise<number | undefined> {
    const port = this.#dryRun
      ? Math.max(dryRunPort - 1, ...this.#allocated) + 1
      : await this.#ports.allocateNext(this.#uid);
    if (port !== undefined) this.#allocated.push(port);
    return port;
  }

  /** Releases the port if the write succeeds. */
  releaseLater(port: number): void {
    this.#released.push(port);
  }

  /** `isUsed`: ports that the service has although this write has failed. */
  async finish({ committed }: { readonly committed: boolean }, isUsed: (port: number) => boolean): Promise<void> {
    if (this.#dryRun) return;
    for (const port of committed ? this.#released : this.#allocated) {
      if (committed || !isUsed(port)) await this.#ports.release(port, this.#uid);
    }
  }
}
