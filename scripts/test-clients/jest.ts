import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { clientsFolder } from '../output-folders.ts';

const version = '30';
const folder = join(clientsFolder, `jest-${version}`);
/** This file is written last, so it exists only after a complete installation. */
const lock = join(folder, 'node_modules', '.package-lock.json');

/**
 * Downloads jest. It is not a dependency of the checkout, because it consists of about two hundred packages. Returns
 * why it is not available, if it is not.
 */
export async function fetchJest(): Promise<string[]> {
  if (existsSync(lock)) return [];
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const quiet = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
    await promisify(execFile)('npm', ['install', ...quiet, '--prefix', folder, `jest@${version}`], { cwd: folder });
    return [];
  } catch (error) {
    return [`jest ${version}: ${(error as Error).message.split('\n')[0]}`];
  }
}

/** The folder with the packages of jest. */
export function fetchedJest(): string | undefined {
  return existsSync(lock) ? join(folder, 'node_modules') : undefined;
}
