import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { root } from './output-folders.ts';

/** What a stand-in shares with the checkout, if that has it. */
const shared = ['node_modules', 'package.json', 'dist', '.cache/clients'];

export function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Calls the function with a temporary folder for what the tests would write into the checkout
 * (`scripts/output-folders.ts`). A `dist` that is not current is replaced by a new one in the folder.
 */
export function withStandIn<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'keelson-output-'));
  try {
    for (const name of shared.filter((each) => existsSync(join(root, each)))) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      symlinkSync(join(root, name), join(folder, name));
    }
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
