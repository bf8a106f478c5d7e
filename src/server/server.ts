import type { Client } from '../client/index.ts';
import type { Faults } from '../fault-injection/index.ts';

/** A running API server. */
export interface Server {
  readonly version: string;
  readonly url: string;
  /** The admin kubeconfig (YAML), with embedded credentials. */
  readonly kubeconfig: string;
  /** The path of the written kubeconfig; undefined without a data directory. */
  readonly kubeconfigFile: string | undefined;
  readonly dataDir: string | undefined;
  /** A client with full permissions that uses no socket. */
  readonly client: Client;
  /** Makes a link that signs one browser in to the console as the administrator, soon. Undefined without the console. */
  readonly signInLink: (() => string) | undefined;
  /** With `enableTestApi`, makes the server fail as tests want it. */
  readonly faults: Faults | undefined;
  /**
   * Resolves when a server of several threads cannot go on, because its storage thread has ended. The process should end:
   * requests fail from now on, and the next start finds all that was answered.
   */
  readonly failed: Promise<Error>;
  /** Drains and stops the server, and releases all its resources. Idempotent. */
  stop(): Promise<void>;
}
