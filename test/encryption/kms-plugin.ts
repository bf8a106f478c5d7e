import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

export interface KmsSettings {
  readonly version: string;
  readonly healthz: string;
  readonly keyId: string;
  /** The ID of the key that Encrypt uses, if it differs from that of Status. */
  readonly encryptKeyId?: string;
  /** IDs of keys whose values cannot be decrypted. */
  readonly lostKeys: readonly string[];
  /** Methods that never respond. */
  readonly hanging: readonly string[];
}

export type KmsCommand = { readonly kind: 'take' } | { readonly kind: 'set'; readonly settings: KmsSettings };

const usual: KmsSettings = { version: 'v2', healthz: 'ok', keyId: '1', lostKeys: [], hanging: [] };

/** A KMS plugin in another process. */
export class KmsPlugin {
  readonly socket: string;
  #settings = usual;
  #process: ChildProcess | undefined;

  /** Does not start the process. The caller must kill the plugin. */
  constructor(directory: string) {
    this.socket = join(directory, 'kms.sock');
  }

  /** Creates a plugin that is killed at the end of the test. */
  static ofTest(directory: string): KmsPlugin {
    const plugin = new KmsPlugin(directory);
    onTestFinished(() => plugin.kill());
    return plugin;
  }

  /**
   * Starts the process. If it is already running, it is only reset to the default settings, which is faster than a new
   * process.
   */
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
    await this.#command({ kind: 'set', settings: this.#settings });
  }

  /** Returns the methods that were called since the last call of `take`. */
  take(): Promise<string[]> {
    return this.#command({ kind: 'take' });
  }

  async #command(command: KmsCommand): Promise<string[]> {
    this.#process!.send(command);
    const [calls] = await once(this.#process!, 'message');
    return calls;
  }
}
