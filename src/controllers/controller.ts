import type { Client, Discovery, InformerFactory, WorkQueue } from '../client/index.ts';

/** Work that goes on beside the requests of users, through the same door as theirs. */
export interface Controller {
  /** As kube-controller-manager has it. */
  readonly name: string;
  /** Older names by which it may be switched on and off. */
  readonly aliases?: readonly string[];
  /**
   * Settles after the abort of the signal, not before, and soon then. What fails is reported and tried again; a run that
   * rejects is begun anew. It must find everything as another run, also of another server, may have left it.
   */
  run(tools: ControllerTools, signal: AbortSignal): Promise<void>;
}

export interface ControllerTools {
  /** Under the name of the controller. */
  readonly client: Client;
  /** Shared by all controllers; all of them stop with the signal. */
  readonly informers: InformerFactory;
  readonly discovery: Discovery;
  readonly report: (error: Error) => void;
  /** A queue that reports failures, but not lost races, and ends with the signal. The run waits for its `idle()` after the abort. */
  queue(work: (key: string) => Promise<void>, options?: { readonly workers?: number }): WorkQueue;
}
