import { StatusError } from '../meta/status-error.ts';
import { writeFailure } from '../registry/index.ts';
import { type Storage, StorageError } from '../storage/index.ts';
import { alreadyAllocated, freePort, outsideRange } from './free-port.ts';
import type { PortAllocator } from './port-allocator.ts';
import { PortBits } from './port-bits.ts';
import type { PortRange } from './service-ranges.ts';

/** The key under which kube-apiserver also stores the ports. */
const key = '/registry/ranges/servicenodeports';

export interface SharedNodePortsOptions {
  readonly storage: Pick<Storage, 'get' | 'commit'>;
  readonly range: PortRange;
  /** Returns a number in [0, 1). */
  readonly random: () => number;
  /** The ports of all stored services, as of now. */
  readonly storedPorts: () => Promise<readonly number[]>;
}

interface Operation {
  readonly change: (bits: PortBits) => void;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * The node ports of a store that several servers write: one RangeAllocation object with a bit for each port, changed by
 * compare and swap. The operations that wait in this server share one write.
 */
export class SharedNodePorts implements PortAllocator {
  readonly #options: SharedNodePortsOptions;
  #waiting: Operation[] = [];
  #isRunning = false;
  /** The latest known value. Other servers may have changed it. */
  #known: Allocation | undefined;

  constructor(options: SharedNodePortsOptions) {
    this.#options = options;
  }

  has(port: number): Promise<boolean> {
    return this.#run((bits) => bits.has(port));
  }

  allocate(port: number, _uid: string): Promise<string | undefined> {
    return this.#run((bits) => {
      const outside = outsideRange(port, bits.range);
      if (outside !== undefined) return outside;
      if (bits.has(port)) return alreadyAllocated;
      bits.set(port);
      return undefined;
    });
  }

  allocateNext(_uid: string): Promise<number | undefined> {
    const { random } = this.#options;
    return this.#run((bits) => {
      const port = freePort(bits.range, (candidate) => bits.has(candidate), random);
      if (port !== undefined) bits.set(port);
      return port;
    });
  }

  /**
   * The owner of a port is not recorded: only the write that allocated it, or that deletes its service, releases it.
   */
  release(port: number, _uid: string): Promise<void> {
    return this.#run((bits) => {
      if (bits.includes(port)) bits.release(port);
    });
  }

  /** Returns the ports that are currently taken. */
  allocated(): Promise<readonly number[]> {
    return this.#run((bits) => [...bits.ports()]);
  }

  /**
   * Takes the ports of stored services that are free by mistake, and releases those that are taken by mistake. Resolves
   * with the ports that were free.
   */
  repair({ add, remove }: { readonly add: readonly number[]; readonly remove: readonly number[] }): Promise<number[]> {
    return this.#run((bits) => {
      const added = add.filter((port) => bits.includes(port) && !bits.has(port));
      for (const port of added) bits.set(port);
      for (const port of remove) bits.release(port);
      return added;
    });
  }

  /** Stores the range of this server, with the ports of the stored services, if another range is stored. */
  async claimRange(): Promise<void> {
    try {
      let found = await this.#read();
      while (found?.range !== rangeText(this.#options.range)) {
        const bits = await this.#ofServices();
        const result = await this.#commit(bits, found?.revision ?? 0);
        if (result.committed) return;
        found = result.current;
      }
    } catch (error) {
      throw writeFailure(error);
    }
  }

  #run<T>(change: (bits: PortBits) => T): Promise<T> {
    return new Promise((resolve, reject) => {
      let result: T;
      this.#waiting.push({
        change: (bits) => {
          result = change(bits);
        },
        done: () => resolve(result),
        failed: (error) => reject(writeFailure(error) as Error),
      });
      if (!this.#isRunning) void this.#runAll();
    });
  }

  async #runAll(): Promise<void> {
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      const operations = this.#waiting;
      this.#waiting = [];
      try {
        await this.#apply(operations);
        for (const { done } of operations) done();
      } catch (error) {
        this.#known = undefined;
        for (const { failed } of operations) failed(error);
      }
    }
    this.#isRunning = false;
  }

  async #apply(operations: readonly Operation[]): Promise<void> {
    let isRead = this.#known === undefined;
    let current = this.#known ?? (await this.#read());
    for (;;) {
      const bits = current === undefined ? await this.#ofServices() : this.#bitsOf(current);
      for (const { change } of operations) change(bits);
      if (!bits.isChanged && current !== undefined) {
        // Results must be current, even if nothing is written.
        const latest = isRead ? current : await this.#read();
        if (latest?.revision === current.revision) return;
        isRead = true;
        current = latest;
        continue;
      }
      const result = await this.#commit(bits, current?.revision ?? 0);
      if (result.committed) return;
      isRead = true;
      current = result.current;
    }
  }

  #bitsOf({ range, data }: Allocation): PortBits {
    const own = rangeText(this.#options.range);
    if (range === own) return new PortBits(this.#options.range, data);
    const message = `the provided range ${own} of node ports does not match the current range ${range}`;
    throw new StatusError({ code: 500, reason: 'InternalError', message: `Internal error occurred: ${message}` });
  }

  async #ofServices(): Promise<PortBits> {
    const bits = new PortBits(this.#options.range);
    for (const port of await this.#options.storedPorts()) if (bits.includes(port)) bits.set(port);
    return bits;
  }

  async #read(): Promise<Allocation | undefined> {
    const entry = await this.#options.storage.get(key);
    this.#known = entry && allocationOf(entry);
    return this.#known;
  }

  async #commit(bits: PortBits, expected: number): Promise<Committed> {
    const range = rangeText(this.#options.range);
    const data = bits.toBytes();
    const object = {
      kind: 'RangeAllocation',
      apiVersion: 'v1',
      metadata: {},
      range,
      data: Buffer.from(data).toString('base64'),
    };
    const result = await this.#options.storage.commit({ key, expected, value: Buffer.from(JSON.stringify(object)) });
    if (result.committed) {
      this.#known = { range, data, revision: result.revision };
      return { committed: true };
    }
    this.#known = result.current && allocationOf(result.current);
    return { committed: false, current: this.#known };
  }
}

type Committed = { readonly committed: true } | { readonly committed: false; readonly current: Allocation | undefined };

interface Allocation {
  readonly range: string;
  readonly data: Uint8Array;
  readonly revision: number;
}

function allocationOf({
  value,
  modRevision: revision,
  corrupt,
}: NonNullable<Awaited<ReturnType<Storage['get']>>>): Allocation {
  if (corrupt !== undefined) throw new StorageError('Corrupt', `${key} cannot be read: ${corrupt}`);
  const { range = '', data } = JSON.parse(value.toString()) as { range?: string; data?: string | null };
  return { range, data: Buffer.from(data ?? '', 'base64'), revision };
}

function rangeText({ first, last }: PortRange): string {
  return `${first}-${last}`;
}
