import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface KmsSettings {
  readonly version: string;
  readonly healthz: string;
  readonly keyId: string;
  /** The key that Encrypt uses, if it is not that of Status. */
  readonly encryptKeyId?: string;
  /** Keys with which nothing can be decrypted. */
  readonly lostKeys: readonly string[];
  /** Methods that are never answered. */
  readonly hanging: readonly string[];
}

export type KmsCommand = { readonly kind: 'take' } | { readonly kind: 'set'; readonly settings: KmsSettings };

const usual: KmsSettings = { version: 'v2', healthz: 'ok', keyId: '1', lostKeys: [], hanging: [] };

/** A plugin for key management in another process. */
export class KmsPlugin {
  readonly socket: string;
  #settings = usual;
  #process: ChildProcess | undefined;

  /** Does not start it. Who makes it kills it. */
  constructor(directory: string) {
    this.socket = join(directory, 'kms.sock');
  }

  /** One that does not survive the test. */
  static ofTest(directory: string): KmsPlugin {
    const plugin = new KmsPlugin(directory);
    onTestFinished(() => plugin.kill());
    return plugin;
  }

  /** One that runs already begins anew with the usual settings, which is faster than a new process. */
  async start(settings: Partial<KmsSettings> = {}): Promise<void> {
    if (this.#process !== undefined) {
      this.#settings = usual;
      return this.set(settings);
    }
    this.#settings = { ...this.#settings, ...settings };
    // A killed process leaves its socket behind.
    await rm(this.socket, { force: true });
    const script = join(import.meta.dirname, 'kms-plugin-process.ts');
    this.#process = fork(script, [this.socket, JSON.stringify(this.#settings)], { execArgv: [] });
    await once(this.#process, 'message');
  }

  async kill(): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (child === undefined) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async set(settings: Partial<KmsSettings>): Promise<void> {
    this.#settings = { ...this.#settings, ...settings };
    await this.#ask({ kind: 'set', settings: this.#settings });
  }

  /** The methods that were called since the last time. */
  take(): Promise<string[]> {
    return this.#ask({ kind: 'take' });
  }

  async #ask(command: KmsCommand): Promise<string[]> {
    this.#process!.send(command);
    const [calls] = await once(this.#process!, 'message');
    return calls;
  }
}
