import type { NodePorts } from './node-ports.ts';

/** A dry run shows these numbers, which are outside the default range, for ports that it does not allocate. */
const dryRunPort = 32_769;

/** The node ports that one write allocates and releases. A dry run allocates nothing. */
export class PortOperation {
  readonly #ports: NodePorts;
  readonly #uid: string;
  readonly #dryRun: boolean;
  readonly #taken: number[] = [];
  readonly #released: number[] = [];

  constructor(ports: NodePorts, { uid, dryRun }: { readonly uid: string; readonly dryRun: boolean }) {
    this.#ports = ports;
    this.#uid = uid;
    this.#dryRun = dryRun;
  }

  /** Returns why the port cannot be taken, or undefined on success. */
  take(port: number): string | undefined {
    const problem = this.#dryRun ? this.#checkFree(port) : this.#ports.take(port, this.#uid);
    if (problem === undefined) this.#taken.push(port);
    return problem;
  }

  #checkFree(port: number): string | undefined {
    const isTaken = this.#ports.has(port) || this.#taken.includes(port);
    return isTaken ? 'provided port is already allocated' : undefined;
  }

  /** Returns undefined when no port is free. */
  takeAny(): number | undefined {
    const port = this.#dryRun ? Math.max(dryRunPort - 1, ...this.#taken) + 1 : this.#ports.takeAny(this.#uid);
    if (port !== undefined) this.#taken.push(port);
    return port;
  }

  /** Releases the port if the write succeeds. */
  releaseLater(port: number): void {
    this.#released.push(port);
  }

  finish({ committed }: { readonly committed: boolean }): void {
    if (this.#dryRun) return;
    for (const port of committed ? this.#released : this.#taken) this.#ports.release(port, this.#uid);
  }
}
