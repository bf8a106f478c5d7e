import type { NodePorts } from './node-ports.ts';

/** A number outside of every range, because it is nobody's. */
const dryRunPort = 32_769;

/** The ports that one write takes and gives back. What a dry run takes it takes from nobody. */
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

  /** Says why not; undefined when it is taken. */
  take(port: number): string | undefined {
    const problem = this.#dryRun ? this.#pretend(port) : this.#ports.take(port, this.#uid);
    if (problem === undefined) this.#taken.push(port);
    return problem;
  }

  #pretend(port: number): string | undefined {
    const isTaken = this.#ports.has(port) || this.#taken.includes(port);
    return isTaken ? 'provided port is already allocated' : undefined;
  }

  /** Undefined when there is none left. */
  takeAny(): number | undefined {
    const port = this.#dryRun ? Math.max(dryRunPort - 1, ...this.#taken) + 1 : this.#ports.takeAny(this.#uid);
    if (port !== undefined) this.#taken.push(port);
    return port;
  }

  /** When the write succeeds. */
  releaseLater(port: number): void {
    this.#released.push(port);
  }

  finish({ stored }: { readonly stored: boolean }): void {
    if (this.#dryRun) return;
    for (const port of stored ? this.#released : this.#taken) this.#ports.release(port, this.#uid);
  }
}
