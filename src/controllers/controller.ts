import type { Client, Discovery, InformerFactory, WorkQueue } from '../client/index.ts';
import type { Clock } from '../meta/clock.ts';
import type { KeptObject } from './kept-object.ts';

/** A background loop that works through the API, with the same requests as users. */
export interface Controller {
  /** The name in kube-controller-manager. */
  readonly name: string;
  /** Older names that `--controllers` accepts. */
  readonly aliases?: readonly string[];
  /**
   * Objects that the controller maintains in every namespace. The server creates them with the namespace, so that
   * clients need not wait.
   */
  readonly keeps?: KeptObject;
  /**
   * Settles soon after the signal aborts, and not before. A controller reports and retries failures itself; a run that
   * rejects is restarted. A run must cope with any state that an earlier run, also of another server, has left.
   */
  run(tools: ControllerTools, signal: AbortSignal): Promise<void>;
}

export interface ControllerTools {
  /** Sends the name of the controller as user agent. */
  readonly client: Client;
  /** Shared by all controllers. All informers stop with the signal. */
  readonly informers: InformerFactory;
  readonly discovery: Discovery;
  /** The time of the server. */
  readonly clock: Clock;
  /** Returns a different number after the store was restored to an earlier state, in which deleted uids exist again. */
  readonly storeState: () => number;
  readonly report: (error: Error) => void;
  /**
   * A queue that reports failures other than conflicts and stops with the signal. The manager waits for its `idle()`
   * after the abort. Without a clock in the options, the delays of its keys follow the clock of the machine.
   */
  queue(work: (key: string) => Promise<void>, options?: QueueOptions): WorkQueue;
}

export interface QueueOptions {
  readonly workers?: number;
  /** The clock for delays that depend on objects, such as a time to live. */
  readonly clock?: Clock;
}
