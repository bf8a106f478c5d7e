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
  /**
   * Creates a short-lived link that signs one browser in to the console as the administrator. Undefined without the
   * console.
   */
  readonly signInLink: (() => string) | undefined;
  /** With `enableTestApi`, injects faults for tests. */
  readonly faults: Faults | undefined;
  /**
   * Resolves when a server with several threads cannot continue, because its storage thread has ended. The process
   * should exit: requests fail from now on, and no acknowledged write is lost.
   */
  readonly failed: Promise<Error>;
  /** Drains and stops the server, and releases all its resources. Idempotent. */
  stop(): Promise<void>;
}
