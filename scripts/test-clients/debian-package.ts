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
}

/**
 * Downloads and unpacks a Debian package below `cache` without installing it. Uses separate package lists, so that it
 * needs no root and changes nothing on the machine. Returns the folder, which later calls reuse. Throws when the
 * package is not available.
 */
async function unpackedPackage(cache: string, { name, suite }: DebianPackage): Promise<string> {
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
    // Installed packages must not influence the choice.
    'Dir::State::status=/dev/null',
    `Dir::Cache=${work}`,
    'APT::Sandbox::User=',
    // Without a network the tests must continue soon.
    'Acquire::http::Timeout=20',
    'Acquire::Retries=1',
  ].flatMap((option) => ['-o', option]);
  await run('apt-get', [...options, 'update']);
  await run('apt-get', [...options, 'download', name], { cwd: work });
  const archive = readdirSync(work).find((file) => file.endsWith('.deb'));
  if (archive === undefined) throw new Error(`apt-get downloaded no package for ${name}`);
  await run('dpkg', ['-x', join(work, archive), join(work, 'root')]);
  renameSync(join(work, 'root'), folder);
  rmSync(work, { recursive: true, force: true });
  return folder;
}

/** Downloads packages, as far as they are not there. Returns those that are not available, with the reason. */
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
  const stanza = text.split(/\n\s*\n/).find((part) => /^Suites:/m.test(part));
  if (stanza === undefined) throw new Error(`${file} has no stanza with Suites`);
  return suite === 'own' ? stanza : stanza.replace(/^Suites:.*$/m, `Suites: ${suite}`);
}
