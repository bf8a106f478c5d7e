import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { clientsFolder } from '../output-folders.ts';
import { type DebianPackage, type DebianProgram, fetchPackages, programOf } from './debian-package.ts';

const python: DebianPackage = { name: 'python3-kubernetes', suite: 'own', hasLibraries: true };
const ruby: DebianPackage = { name: 'ruby-kubeclient', suite: 'own', hasLibraries: true };
const go: DebianPackage = { name: 'golang-go', suite: 'own', hasLibraries: true };

/** Downloads the Kubernetes client of Python. Returns why it is not available, if it is not. */
export function fetchPythonClient(): Promise<string[]> {
  return fetchPackages(clientsFolder, [python]);
}

/** Downloads clients in other languages. Only the long tests use them, because Go has hundreds of megabytes. */
export function fetchLanguages(): Promise<string[]> {
  return fetchPackages(clientsFolder, [ruby, go]);
}

/** Debian's Python, for which the client is built, and the path of the client. */
export function fetchedPythonClient(): DebianProgram | undefined {
  const folder = join(clientsFolder, `${python.name}-${python.suite}`, 'usr/lib/python3/dist-packages');
  const path = '/usr/bin/python3';
  return existsSync(folder) && existsSync(path) ? { path, env: { ...process.env, PYTHONPATH: folder } } : undefined;
}

export function fetchedRuby(): DebianProgram | undefined {
  const program = programOf(clientsFolder, ruby, 'usr/bin/ruby3.1');
  if (program === undefined) return undefined;
  const root = join(clientsFolder, `${ruby.name}-${ruby.suite}`);
  const folders = [
    'ruby/vendor_ruby',
    'ruby/3.1.0',
    `${platform()}/ruby/3.1.0`,
    `${platform()}/ruby/vendor_ruby/3.1.0`,
  ];
  const libraries = folders.map((folder) => join(root, 'usr/lib', folder)).join(':');
  const gems = ['share/rubygems-integration/all', 'share/rubygems-integration/3.1.0']
    .concat(`lib/${platform()}/rubygems-integration/3.1.0`)
    .map((folder) => join(root, 'usr', folder))
    .join(':');
  return { ...program, env: { ...program.env, RUBYLIB: libraries, GEM_PATH: gems } };
}

export function fetchedGo(): DebianProgram | undefined {
  const program = programOf(clientsFolder, go, 'usr/lib/go-1.19/bin/go');
  if (program === undefined) return undefined;
  const goRoot = join(clientsFolder, `${go.name}-${go.suite}`, 'usr/lib/go-1.19');
  return { ...program, env: { ...program.env, GOROOT: goRoot, GO111MODULE: 'off', CGO_ENABLED: '0' } };
}

function platform(): string {
  return process.arch === 'arm64' ? 'aarch64-linux-gnu' : 'x86_64-linux-gnu';
}
