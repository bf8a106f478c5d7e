import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Server } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { TestApi } from '../wire/api.ts';
import { ownersOf } from '../wire/field-owners.ts';

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface UseOptions {
  /** The object for the standard input, as JSON. Several objects are sent as a list. */
  readonly input?: object | readonly object[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A server and one version of kubectl that uses it. */
export class KubectlApplySession {
  readonly #kubectl: string;
  readonly #server: Server;
  readonly #folder: string;
  /** A client for requests that are not the subject of a test. */
  readonly api: TestApi;

  private constructor(kubectl: string, server: Server, folder: string) {
    this.#kubectl = kubectl;
    this.#server = server;
    this.#folder = folder;
    this.api = new TestApi(server);
  }

  static async start(kubectl: string): Promise<KubectlApplySession> {
    const folder = mkdtempSync(join(tmpdir(), 'keelson-kubectl-'));
    const server = await startTestedServer({
      storage: 'memory',
      dataDir: join(folder, 'data'),
      controllers: [],
      disableAdmissionPlugins: ['ServiceAccount'],
    });
    return new KubectlApplySession(kubectl, server, folder);
  }

  async stop(): Promise<void> {
    await this.api.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async isOld(): Promise<boolean> {
    return (await this.use('version --client')).stdout.includes('1.20');
  }

  /** Runs kubectl. Does not throw when it fails. */
  async use(args: string | readonly string[], { input, env }: UseOptions = {}): Promise<Finished> {
    const child = spawn(this.#kubectl, typeof args === 'string' ? args.split(' ') : args, {
      env: { ...process.env, HOME: this.#folder, KUBECONFIG: this.#server.kubeconfigFile, ...env },
    });
    const items = Array.isArray(input) ? { apiVersion: 'v1', kind: 'List', items: input } : input;
    child.stdin.on('error', () => {});
    child.stdin.end(items === undefined ? '' : JSON.stringify(items));
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    return { code, stdout, stderr };
  }

  /** Runs kubectl and returns its standard output. Throws when it fails. */
  async out(args: string | readonly string[], options?: UseOptions): Promise<string> {
    const { code, stdout, stderr } = await this.use(args, options);
    if (code !== 0) throw new Error(`kubectl ${args} ends with ${code}: ${stderr}`);
    return stdout;
  }

  /** Reads an object without kubectl, which would be slower. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into objects of every kind
  async read(path: string): Promise<any> {
    return (await this.api.get(path)).body;
  }

  async owners(path: string): Promise<string[]> {
    return ownersOf(await this.read(path));
  }
}
