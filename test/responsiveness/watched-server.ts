import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { openEmbeddedStorage } from '../../src/storage/index.ts';
import { commandScript } from '../bundles/bundles.ts';
import { type ApiResponse, TestApi } from '../wire/api.ts';
import { definitions } from './hostile-definitions.ts';
import type { HostileRequest } from './hostile-request.ts';

export interface BlockedTime {
  readonly response: ApiResponse;
  /** The longest time in milliseconds for which the event loop was blocked during the request. */
  readonly ms: number;
}

/** A server process that measures how long its event loop is blocked. */
export class WatchedServer {
  readonly api: TestApi;
  readonly #child: ChildProcess;
  readonly #directory: string;

  private constructor(api: TestApi, child: ChildProcess, directory: string) {
    this.api = api;
    this.#child = child;
    this.#directory = directory;
  }

  /**
   * Starts a server with this number of config maps in the namespace `crowd`. `args` are for Node.js, `flags` for the
   * server.
   */
  static async start({
    crowd,
    args = [],
    flags = [],
  }: {
    crowd: number;
    args?: readonly string[];
    flags?: readonly string[];
  }): Promise<WatchedServer> {
    const directory = await mkdtemp(join(tmpdir(), 'keelson-responsiveness-'));
    await fill(directory, crowd);
    const options = [
      ...['--bind-address=127.0.0.1', '--secure-port=0', '--output=json', '--controllers=', '--threads=1'],
      // The controller that creates service accounts does not run.
      '--disable-admission-plugins=ServiceAccount',
      '--feature-gates=CBORServingAndStorage=true',
    ];
    const child = spawn(
      process.execPath,
      [
        ...args,
        '--import',
        join(import.meta.dirname, 'loop-watch.ts'),
        commandScript,
        'serve',
        ...options,
        ...flags,
        `--data-dir=${directory}`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
    );
    let printed = '';
    for await (const text of child.stdout!.setEncoding('utf8')) {
      printed += text;
      if (printed.includes('\n')) break;
    }
    const { url, kubeconfig } = JSON.parse(printed) as { url: string; kubeconfig: string };
    const api = new TestApi({ url, kubeconfig: await readFile(kubeconfig, 'utf8'), stop: async () => {} });
    return new WatchedServer(api, child, directory);
  }

  /** Returns the memory of the process in bytes. */
  async memory(): Promise<number> {
    const status = await readFile(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)![1]) * 1024;
  }

  async stop(): Promise<void> {
    await this.api.stop();
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
    await rm(this.#directory, { recursive: true, force: true });
  }

  /** Creates the required objects, sends the request and measures. The created objects are deleted afterwards. */
  async held(request: HostileRequest): Promise<BlockedTime> {
    const given: string[] = [];
    for (const { path, body } of request.given ?? []) {
      const { metadata } = (await this.api.post(path, body())).body;
      given.unshift(`${path}/${metadata.name}`);
      if (path === definitions) await this.#established(`${path}/${metadata.name}`);
    }
    const body = request.body?.();
    await this.#maxHeldMs();
    const response = await this.api.call(request.method, request.path, {
      ...(body !== undefined && { body }),
      ...(request.headers && { headers: request.headers }),
    });
    const name: unknown = response.body?.metadata?.name;
    if (request.method === 'POST' && response.status < 300 && typeof name === 'string') {
      const path = `${request.path.split('?')[0]}/${name}`;
      given.unshift(path);
      // The measurement includes the start of serving the type.
      if (request.path === definitions) await this.#established(path);
    }
    const ms = await this.#maxHeldMs();
    for (const path of given) await this.#remove(path);
    return { response, ms };
  }

  async #remove(path: string): Promise<void> {
    const { body } = await this.api.delete(`${path}?gracePeriodSeconds=0`);
    if (path.startsWith(definitions)) await vi.waitFor(async () => expect((await this.api.get(path)).status).toBe(404));
    else if (body?.metadata?.finalizers) await this.api.patch(path, { metadata: { finalizers: null } });
  }

  async #established(path: string): Promise<void> {
    await vi.waitFor(async () => {
      const { conditions } = (await this.api.get(path)).body.status;
      expect(conditions).toContainEqual(expect.objectContaining({ type: 'Established', status: 'True' }));
    });
  }

  /** Returns the longest time since the last call. */
  async #maxHeldMs(): Promise<number> {
    const received = once(this.#child, 'message');
    this.#child.send('');
    const [ms] = (await received) as [number];
    return ms;
  }
}

async function fill(directory: string, count: number): Promise<void> {
  const storage = await openEmbeddedStorage({ directory: join(directory, 'store') });
  const put = (key: string, object: object) =>
    storage.commit({ key, expected: 0, value: Buffer.from(JSON.stringify(object)) });
  const uid = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
  await put('/registry/namespaces/crowd', {
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: { name: 'crowd', uid: uid(0), creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  });
  let committed: Promise<unknown>[] = [];
  for (let index = 1; index <= count; index++) {
    const name = `c${String(index).padStart(7, '0')}`;
    const metadata = {
      name,
      namespace: 'crowd',
      uid: uid(index),
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { app: `a${index % 100}`, n: String(index) },
    };
    committed.push(
      put(`/registry/configmaps/crowd/${name}`, { kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { a: 'b' } }),
    );
    if (committed.length === 2_000) {
      await Promise.all(committed);
      committed = [];
    }
  }
  await Promise.all(committed);
  await storage.close();
}
