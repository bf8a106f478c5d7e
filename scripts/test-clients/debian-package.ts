import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sourceFiles = ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list'];

/** The Debian suite of a package: that of the machine, or a newer one from the same mirror. */
export type Suite = 'own' | 'sid';

export interface DebianPackage {
  readonly name: string;
  readonly suite: Suite;
  /** Other packages that are unpacked into the same folder. */
  readonly others?: readonly string[];
  /** Whether libraries that the machine does not have are unpacked into the same folder, too. */
  readonly hasLibraries?: boolean;
}

/** A program in a downloaded package, and the environment that it needs. */
export interface DebianProgram {
  readonly path: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Downloads and unpacks a Debian package below `cache` without installing it. Uses separate package lists, so that it
 * needs no root and changes nothing on the machine. Returns the folder, which later calls reuse. Throws when the
 * package is not available.
 */
async function unpackedPackage(cache: string, wanted: DebianPackage): Promise<string> {
  const { name, suite, others = [], hasLibraries = false } = wanted;
  const folder = join(cache, `${name}-${suite}`);
  if (existsSync(folder)) return folder;
  const work = `${folder}.part`;
  rmSync(work, { recursive: true, force: true });
  for (const folderName of ['lists/partial', 'archives/partial', 'root']) {
    mkdirSync(join(work, folderName), { recursive: true });
  }
  const sources = join(work, 'wanted.sources');
  writeFileSync(sources, sourcesOf(suite));
  const options = [
    `Dir::Etc::sourcelist=${sources}`,
    'Dir::Etc::sourceparts=/dev/null',
    `Dir::State::lists=${join(work, 'lists')}`,
    // Installed packages must not influence the choice, except for that of libraries.
    ...(hasLibraries ? [] : ['Dir::State::status=/dev/null']),
    'Debug::NoLocking=1',
    `Dir::Cache=${work}`,
    'APT::Sandbox::User=',
    // Without a network, the tests must start soon.
    'Acquire::http::Timeout=20',
    'Acquire::Retries=1',
  ].flatMap((option) => ['-o', option]);
  await run('apt-get', [...options, 'update']);
  const install = ['install', '--download-only', '--reinstall', '--no-install-recommends', '--yes'];
  await run('apt-get', [...options, ...(hasLibraries ? install : ['download']), name, ...others], { cwd: work });
  const downloads = hasLibraries ? join(work, 'archives') : work;
  const archives = readdirSync(downloads).filter((file) => file.endsWith('.deb'));
  if (archives.length === 0) throw new Error(`apt-get downloaded no package for ${name}`);
  for (const archive of archives) await run('dpkg', ['-x', join(downloads, archive), join(work, 'root')]);
  renameSync(join(work, 'root'), folder);
  rmSync(work, { recursive: true, force: true });
  return folder;
}

/**
 * Returns a program of a downloaded package, or undefined if the package was not downloaded. `path` is the path in the
 * package.
 */
export function programOf(cache: string, { name, suite }: DebianPackage, path: string): DebianProgram | undefined {
  const root = join(cache, `${name}-${suite}`);
  if (!existsSync(join(root, path))) return undefined;
  const libraries = existsSync(join(root, 'usr/lib')) ? librariesIn(join(root, 'usr/lib')) : [];
  const env = libraries.length === 0 ? {} : { LD_LIBRARY_PATH: libraries.join(':') };
  return { path: join(root, path), env: { ...process.env, ...env } };
}

/** Returns the folders with shared libraries: those of the architecture, and their subfolders. */
function librariesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory() && join(entry.parentPath, entry.name).includes('-linux-gnu'))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readdirSync(path).some((file) => file.includes('.so')));
}

/** Downloads the packages that are missing. Returns those that are not available, with the reason. */
export async function fetchPackages(cache: string, packages: readonly DebianPackage[]): Promise<string[]> {
  const missing: string[] = [];
  for (const wanted of packages) {
    try {
      await unpackedPackage(cache, wanted);
    } catch (error) {
      const { stderr, message } = error as Error & { stderr?: string };
      const reason = (stderr || message).trim().split('\n').at(-1);
      missing.push(`${wanted.name} (${wanted.suite} suite): ${reason}`);
    }
  }
  return missing;
}

/** Only the first stanza: the others are security and backports, which newer suites do not have. */
function sourcesOf(suite: Suite): string {
  const file = sourceFiles.find((path) => existsSync(path) && /^(Types:|deb )/m.test(readFileSync(path, 'utf8')));
  if (file === undefined) throw new Error('the machine has no Debian package sources');
  const text = readFileSync(file, 'utf8');
  const stanza = text.split(/\n\s*\n/).find((paragraph) => /^Suites:/m.test(paragraph));
  if (stanza === undefined) throw new Error(`${file} has no stanza with Suites`);
  return suite === 'own' ? stanza : stanza.replace(/^Suites:.*$/m, `Suites: ${suite}`);
}
