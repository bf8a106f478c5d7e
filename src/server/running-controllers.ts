import { setImmediate } from 'node:timers/promises';
import { quotaMeasure } from '../admission/index.ts';
import type { TokenIssuer } from '../authn/index.ts';
import { type Client, type WorkQueue, WorkQueueMetrics } from '../client/index.ts';
import { certificateControllers, standardSigners } from '../controllers/certificates/index.ts';
import {
  builtInControllers,
  type CheckTypes,
  type Controller,
  type LeaseTimings,
  type NamespaceControllerOptions,
  runControllers,
  serviceAccountTokenController,
} from '../controllers/index.ts';
import { buildInfo } from '../http/discovery/index.ts';
import type { Meter } from '../meta/meter.ts';
import { requestedIdentity } from '../pki/index.ts';
import type { KeyMaterial } from './key-material.ts';
import type { ResolvedOptions } from './options.ts';

interface RunningControllersOptions {
  readonly options: ResolvedOptions;
  readonly meter: Meter;
  readonly client: Client;
  readonly controllers: readonly Controller[];
  /** Identifies this process. */
  readonly identity: string;
  /** Whether other servers use the same store. */
  readonly isShared: boolean;
  readonly timings?: Partial<LeaseTimings> | undefined;
}

/** Runs the controllers of this server from `start` to `stop`. */
export class RunningControllers {
  readonly #options: RunningControllersOptions;
  readonly #end = new AbortController();
  #done: Promise<void> | undefined;
  readonly #queues = new Map<string, WorkQueue>();
  #storeState = 0;

  constructor(options: RunningControllersOptions) {
    this.#options = options;
  }

  /**
   * Starts the controllers in the next turn, because starting their informers would delay the message that the server
   * is ready.
   */
  start(): void {
    this.#done = setImmediate().then(() => this.#run());
  }

  #run(): Promise<void> {
    const { options, meter, client, controllers, identity, isShared, timings } = this.#options;
    return runControllers(
      {
        client,
        controllers,
        identity,
        version: buildInfo().packageVersion,
        clock: options.clock,
        storeState: () => this.#storeState,
        onQueue: (name, queue) => void this.#queues.set(name, queue),
        queueMetrics: new WorkQueueMetrics(meter),
        report: (err, controller) => options.log.error('controller failed', { controller, err }),
        election: { isAlone: !isShared, ...(timings && { timings }) },
      },
      this.#end.signal,
    );
  }

  /** The names of the controllers that have work, or are not running yet. */
  get busy(): string[] {
    const { controllers } = this.#options;
    if (this.#queues.size === 0) return controllers.map(({ name }) => name);
    return [...this.#queues].filter(([, queue]) => queue.isBusy).map(([name]) => name);
  }

  /** Must be called before the store is restored to an earlier state. */
  storeRestored(): void {
    this.#storeState++;
  }

  async stop(): Promise<void> {
    this.#end.abort();
    await this.#done;
  }
}

interface ServerControllersOptions {
  readonly material: KeyMaterial;
  readonly tokens: TokenIssuer;
  readonly checkPolicyTypes: CheckTypes;
  readonly namespaces: NamespaceControllerOptions;
  /** Whether servers publish their storage versions. */
  readonly collectsStorageVersions: boolean;
}

/** All controllers of the server, with the keys that some of them need. */
export function serverControllers({
  material: { servedCa: caCert, signer },
  tokens,
  checkPolicyTypes,
  namespaces,
  collectsStorageVersions,
}: ServerControllersOptions): Controller[] {
  const issuers = signer === undefined ? {} : Object.fromEntries(standardSigners.map((name) => [name, signer]));
  return [
    ...builtInControllers({ caCert, quotaMeasure, checkPolicyTypes, namespaces, collectsStorageVersions }),
    serviceAccountTokenController({ caCert, sign: (subject) => tokens.issueForSecret(subject) }),
    ...certificateControllers({ readIdentity: requestedIdentity, issuers }),
  ];
}
