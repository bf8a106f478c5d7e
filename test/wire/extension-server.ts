import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { TestApi } from './api.ts';
import { createAuthority, issueServer, type KeyPair } from './certificates.ts';

/** The behaviour of the server: see `extension-process.ts`. */
export type ExtensionMode = 'normal' | 'legacy' | 'lying' | 'huge' | 'invalid' | 'failing' | 'slow';

export type ExtensionCommand =
  | ({ readonly kind: 'listen'; readonly port: number; readonly clientCa: string } & KeyPair)
  | { readonly kind: 'close' | 'take' }
  | { readonly kind: 'mode'; readonly mode: ExtensionMode };

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  /** The common name of the client's certificate. */
  readonly client: string | undefined;
}

export const fruits = '/apis/fruits.example.com/v1';
export const fruitsService = '/apis/apiregistration.k8s.io/v1/apiservices/v1.fruits.example.com';

/** A real extension API server in another process, and the objects that register it. */
export class ExtensionServer {
  readonly #authority: KeyPair;
  readonly #pair: KeyPair;
  readonly #process: ChildProcess;
  #clientCa = '';
  port = 0;

  private constructor(authority: KeyPair, pair: KeyPair, process: ChildProcess) {
    this.#authority = authority;
    this.#pair = pair;
    this.#process = process;
  }

  /**
   * Starts a server that accepts only clients with a certificate of the front proxy CA that the API server publishes.
   */
  static async start(api: TestApi): Promise<ExtensionServer> {
    const authority = await createAuthority('extensions');
    const pair = await issueServer(authority, 'fruits.default.svc');
    const child = fork(join(import.meta.dirname, 'extension-process.ts'), { execArgv: [] });
    const server = new ExtensionServer(authority, pair, child);
    const { body } = await api.get('/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication');
    server.#clientCa = body.data['requestheader-client-ca-file'];
    await server.listen();
    return server;
  }

  /** Listens again on the same port after `close`. */
  async listen(): Promise<void> {
    this.port = await this.#command<number>({
      kind: 'listen',
      port: this.port,
      clientCa: this.#clientCa,
      ...this.#pair,
    });
  }

  /** Closes the port and all connections. */
  async close(): Promise<void> {
    await this.#command({ kind: 'close' });
  }

  async mode(mode: ExtensionMode): Promise<void> {
    await this.#command({ kind: 'mode', mode });
  }

  /** Returns the requests since the last call. */
  take(): Promise<SeenRequest[]> {
    return this.#command({ kind: 'take' });
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null) throw new Error('the extension server has failed');
    this.#process.kill();
    await once(this.#process, 'exit');
  }

  get spec(): Record<string, unknown> {
    return {
      group: 'fruits.example.com',
      version: 'v1',
      groupPriorityMinimum: 2000,
      versionPriority: 15,
      service: { namespace: 'default', name: 'fruits', port: this.port },
      caBundle: Buffer.from(this.#authority.cert).toString('base64'),
    };
  }

  /**
   * Creates the service. Endpoints must not be on the loopback interface, but the name of an external service may
   * resolve to it.
   */
  async createService(api: TestApi): Promise<void> {
    const spec = { type: 'ExternalName', externalName: 'localhost' };
    await api.post('/api/v1/namespaces/default/services', { metadata: { name: 'fruits' }, spec });
  }

  /** Creates all objects and waits until the server is available. */
  async register(api: TestApi): Promise<void> {
    await this.createService(api);
    await api.post('/apis/apiregistration.k8s.io/v1/apiservices', {
      metadata: { name: 'v1.fruits.example.com' },
      spec: this.spec,
    });
    await untilCondition(api, 'True Passed: all checks passed');
  }

  async #command<T>(command: ExtensionCommand): Promise<T> {
    this.#process.send(command);
    const [reply] = (await once(this.#process, 'message')) as [T];
    return reply;
  }
}

/** Waits until the APIService has the condition, as `status reason: message`. */
export async function untilCondition(api: TestApi, expected: string | RegExp): Promise<void> {
  const matching = typeof expected === 'string' ? expect.stringContaining(expected) : expect.stringMatching(expected);
  const check = async (): Promise<void> => expect(await conditionOf(api)).toEqual(matching);
  await vi.waitFor(check);
}

async function conditionOf(api: TestApi): Promise<string> {
  const { body } = await api.get(fruitsService);
  const { status = '', reason = '', message = '' } = body.status?.conditions?.[0] ?? {};
  return `${status} ${reason}: ${message}`;
}

/** Makes the server check the extension server immediately. */
export async function recheck(api: TestApi): Promise<void> {
  await api.patch(fruitsService, { metadata: { annotations: { recheck: String(performance.now()) } } });
}
