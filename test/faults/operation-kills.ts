import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import { examine } from '../../src/server/backup/index.ts';
import { StoreReader } from '../../src/storage/backup/index.ts';
import { restoredFile } from '../../src/storage/embedded/restored-store.ts';
import { ServeProcess } from '../process/serve-process.ts';
import { temporaryDirectory } from '../process/temporary-directory.ts';
import type { TestApi } from '../wire/api.ts';
import { createRandom } from './random.ts';

export interface OperationKillsOptions {
  readonly kills: number;
  readonly seed: number;
}

const configMaps = '/api/v1/namespaces/default/configmaps';
const prefix = '/registry/configmaps/default/';
const writers = 4;
const names = 12;
const maxWrites = 120;
const maxCommands = 3;
const maxStartMs = 700;
type Command = 'backup' | 'restore';

/**
 * Kills servers that constantly write and compact, and concurrent backups and restores, on one data directory. After
 * each kill, all files must be intact, and no acknowledged write may be missing.
 */
export async function operationKills({ kills, seed }: OperationKillsOptions): Promise<void> {
  const directory = await temporaryDirectory();
  const place = new Place(directory, createRandom(seed));
  while (place.kills < kills) await place.round();
}

class Place {
  kills = 0;
  /**
   * The duration of the last command of each kind that was not killed. Commands are killed at a random moment within
   * 1.3 times this duration.
   */
  readonly #durations: Record<Command, number> = { backup: 700, restore: 700 };
  readonly #dataDir: string;
  readonly #backup: string;
  readonly #random: (limit: number) => number;
  /** The last acknowledged content of each object. Undefined after a deletion, null when it is unknown. */
  readonly #known = new Map<string, string | undefined | null>();

  constructor(directory: string, random: (limit: number) => number) {
    this.#dataDir = join(directory, 'data');
    this.#backup = join(directory, 'backup');
    this.#random = random;
  }

  async round(): Promise<void> {
    const flags = [`--data-dir=${this.#dataDir}`, '--controllers=', '--compaction-retention=40ms'];
    const server = ServeProcess.start(...flags);
    // Sometimes the server is killed during its start, when it may be installing a restored store.
    if (this.#random(6) === 0 && existsSync(this.#backup)) {
      await delay(this.#random(maxStartMs));
      await this.#kill(server);
    } else {
      const api = await server.api();
      const stop = new AbortController();
      const writing = Promise.all(
        Array.from({ length: writers }, (_, writer) => this.#write(api, { writer, signal: stop.signal })),
      );
      // The first backup must succeed, so that there is one.
      if (!existsSync(this.#backup)) expect(await this.#start('backup').exited).toEqual({ code: 0, signal: null });
      for (let commands = 1 + this.#random(maxCommands); commands > 0; commands--) {
        await this.#killCommand();
        await this.#checkBackup();
      }
      if (this.#random(2) === 0) stop.abort();
      await this.#kill(server);
      stop.abort();
      await writing;
      await api.stop();
    }
    await this.#check();
    await this.#killCommand();
    await this.#check();
  }

  #start(command: Command): ServeProcess {
    if (command === 'restore') this.#forget();
    const own = command === 'restore' ? ['restore', this.#backup, '--replace'] : ['backup', this.#backup];
    return new ServeProcess([...own, `--data-dir=${this.#dataDir}`]);
  }

  /** After a restore, either the previous or the restored objects may exist. */
  #forget(): void {
    for (const name of this.#known.keys()) this.#known.set(name, null);
  }

  /** Runs a backup or a restore, which is killed if it does not end first. */
  async #killCommand(): Promise<void> {
    const command = this.#random(2) === 0 && existsSync(this.#backup) ? 'restore' : 'backup';
    const child = this.#start(command);
    const startedAt = performance.now();
    const timer = setTimeout(() => child.kill('SIGKILL'), this.#random(Math.ceil(this.#durations[command] * 1.3)));
    const { signal, code } = await child.exited;
    clearTimeout(timer);
    if (signal === 'SIGKILL') {
      this.kills += 1;
      return;
    }
    expect({ code, stderr: child.stderr }).toMatchObject({ code: 0 });
    this.#durations[command] = performance.now() - startedAt;
  }

  async #kill(server: ServeProcess): Promise<void> {
    server.kill('SIGKILL');
    expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' });
    this.kills += 1;
  }

  /** Writes until the server is killed. Each writer has its own objects. */
  async #write(api: TestApi, { writer, signal }: { writer: number; signal: AbortSignal }): Promise<void> {
    for (let turn = 0; turn < maxWrites && !signal.aborted; turn++) {
      const name = `${writer}-${this.#random(names)}`;
      const text = `${turn} `.repeat(this.#random(2000));
      const deletes = this.#random(4) === 0;
      const before = this.#known.get(name);
      this.#known.set(name, null);
      const outcome = await (deletes
        ? api.delete(`${configMaps}/${name}`)
        : api.put(`${configMaps}/${name}`, { metadata: { name, namespace: 'default' }, data: { text } })
      ).catch(() => undefined);
      if (outcome === undefined) return;
      const isDone = outcome.status === 200 || outcome.status === 201;
      if (isDone) this.#known.set(name, deletes ? undefined : text);
      else if (deletes && outcome.status === 404) this.#known.set(name, before === null ? null : undefined);
      else expect(outcome.text).toBe('a success');
    }
  }

  async #check(): Promise<void> {
    const store = join(this.#dataDir, 'store');
    expect(await examined(this.#dataDir)).toEqual([]);
    await this.#checkBackup();
    for (const name of readdirSync(store).filter((found) => /\.restored$|\.before-[^.]*Z$/.test(found))) {
      const path = join(store, name);
      const reader = new StoreReader(path);
      expect([...reader.entries()].filter(({ corrupt }) => corrupt !== undefined)).toEqual([]);
      reader.close();
      if (name.includes('.before-'))
        for (const end of ['', '-wal', '-shm', '-redo']) rmSync(path + end, { force: true });
    }
    this.#checkObjects(join(store, 'storage.sqlite'));
    // Writes after the restore are lost when the next server installs the restored store.
    if (existsSync(restoredFile(store))) this.#forget();
  }

  async #checkBackup(): Promise<void> {
    if (existsSync(this.#backup)) expect(await examined(this.#backup)).toEqual([]);
  }

  #checkObjects(file: string): void {
    const store = new StoreReader(file);
    const found = new Map<string, string>();
    for (const { key, value } of store.entries()) {
      if (key.startsWith(prefix)) found.set(key.slice(prefix.length), JSON.parse(value.toString()).data?.text ?? '');
    }
    store.close();
    for (const [name, text] of this.#known) {
      if (text !== null) expect({ name, text: found.get(name) }).toEqual({ name, text });
    }
  }
}

async function examined(path: string): Promise<readonly object[]> {
  return (await examine(path, { encryption: undefined })).findings;
}
