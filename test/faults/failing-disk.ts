import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ServeProcess } from '../process/serve-process.ts';

const source = join(import.meta.dirname, 'failing-disk.c');
const hasCompiler = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;

/** Whether disk failures can be simulated on this machine. This requires Linux and a C compiler. */
export const canFail = hasCompiler;

/** With `stall`, disk operations block until the state changes. With `sync`, writes succeed, but syncs fail. */
export type DiskState = 'works' | 'sync' | 'EIO' | 'EROFS' | 'ENOSPC' | 'stall';

/** A server whose disk can fail. */
export class FailingDisk {
  readonly server: ServeProcess;
  readonly #control: string;

  constructor(directory: string, flags: readonly string[]) {
    const library = join(directory, 'failing-disk.so');
    this.#control = join(directory, 'disk');
    const { status, stderr } = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source]);
    if (status !== 0) throw new Error(stderr.toString());
    this.set('works');
    const prefix = ['env', `LD_PRELOAD=${library}`, `FAILING_DISK=${this.#control}`];
    const args = ['serve', '--bind-address=127.0.0.1', '--secure-port=0', '--output=json', ...flags];
    this.server = new ServeProcess(args, { prefix });
  }

  set(state: DiskState): void {
    writeFileSync(this.#control, state);
  }
}
