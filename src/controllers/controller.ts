import type { Client } from '../client/index.ts';

/** Work that goes on beside the requests of users, through the same door as theirs. */
export interface Controller {
  readonly name: string;
  /** Settles after the abort of the signal, not before. What fails is reported and tried again. */
  run(tools: ControllerTools, signal: AbortSignal): Promise<void>;
}

export interface ControllerTools {
  readonly client: Client;
  readonly report: (error: Error) => void;
}
