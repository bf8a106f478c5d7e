import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ServerOptions } from '../../src/index.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import { TestApi } from '../wire/api.ts';

type Rule = readonly [resources: readonly string[], ...providers: readonly object[]];

export const identity = { identity: {} };
export const secretOf = (name: string): string => Buffer.alloc(32, `${name}-`).toString('base64');

export function withKeys(type: string, ...names: string[]): object {
  return { [type]: { keys: names.map((name) => ({ name, secret: secretOf(name) })) } };
}

/** A data directory with an encryption configuration, and the servers that use both, one after the other. */
export class EncryptedServer {
  readonly dataDir: string;
  readonly #directory: string;
  /** All log messages of the servers. */
  readonly logged: string[] = [];
  #api: TestApi | undefined;

  private constructor(directory: string) {
    this.#directory = directory;
    this.dataDir = join(directory, 'data');
    onTestFinished(() => this.stop());
  }

  static async create(): Promise<EncryptedServer> {
    return new EncryptedServer(await temporaryDirectory());
  }

  get directory(): string {
    return this.#directory;
  }

  get configFile(): string {
    return join(this.#directory, 'encryption.yaml');
  }

  /** Writes the encryption configuration file. */
  async configure(...rules: readonly Rule[]): Promise<void> {
    const resources = rules.map(([names, ...providers]) => ({ resources: names, providers }));
    const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration' };
    await writeFile(this.configFile, JSON.stringify({ ...kind, resources }));
  }

  async start(options: ServerOptions = {}): Promise<TestApi> {
    const note = (message: string, fields: object = {}): void => {
      const texts = Object.entries(fields).map(
        ([name, value]) => `${name}=${value instanceof Error ? value.stack : value}`,
      );
      this.logged.push(`${message} ${texts.join(' ')}`);
    };
    this.#api = await TestApi.start({
      storage: 'embedded',
      dataDir: this.dataDir,
      encryptionProviderConfig: this.configFile,
      featureGates: 'AllowUnsafeMalformedObjectDeletion=true',
      log: { info: note, error: note, flush: () => Promise.resolve() },
      ...options,
    });
    return this.#api;
  }

  async stop(): Promise<void> {
    const api = this.#api;
    this.#api = undefined;
    await api?.stop();
  }

  /** Returns the names of the files of the store that contain the text. */
  async filesWith(text: string): Promise<string[]> {
    const folder = join(this.dataDir, 'store');
    const names = await readdir(folder);
    const contents = await Promise.all(names.map((name) => readFile(join(folder, name))));
    return names.filter((_name, index) => contents[index]!.includes(text));
  }
}
